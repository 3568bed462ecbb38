// Lists payouts and refunds with an unknown outcome.
import { runOperation } from '../../../kernel/operations/run-operation.ts'
import {
  listUnknownOutcomes,
  type UnknownOutcome,
} from '../../../merchant/outcomes/list-unknown-outcomes.ts'
import { operatorOrBusinessActor } from '../../core/choose-business.ts'
import { type Command, jsonUsage, print, printJson } from '../../core/command.ts'
import { amountText } from './approval-commands.ts'

export const showOutcomes: Command = {
  name: 'outcomes',
  summary: 'List payouts and refunds with an unknown outcome, and what happens next',
  usage: ['--business ID          only this business', jsonUsage],
  options: { business: { type: 'string' }, json: { type: 'boolean' } },
  async run({ context }, options) {
    const actor = await operatorOrBusinessActor(context, options, 'cli outcomes')
    const outcomes = await runOperation(listUnknownOutcomes, context, actor, {})
    if (options.json) {
      printJson(outcomes)
      return 0
    }
    for (const outcome of outcomes) for (const line of describe(outcome)) print(line)
    for (const line of outcomes.length === 0 ? nothing : advice) print(line)
    return 0
  },
}

const nothing = ['The provider has answered every payout and refund.']

const advice = [
  '',
  'You need not do anything: the service keeps asking the provider. It sends a payout, or a refund',
  'that was approved or is automatic, again if the provider does not know it after ten minutes;',
  'sooner could pay twice. A refund that was requested directly is never sent again: it fails if two',
  'look-ups a day apart do not find it. Do not request it again meanwhile. After three days without',
  'an outcome it becomes a discrepancy.',
]

function describe(outcome: UnknownOutcome): string[] {
  const { kind, id, amountMinor, currency, environment, sentAt, nextLookAt } = outcome
  const next = nextLookAt === null ? 'within seconds' : `at ${secondText(nextLookAt)}`
  return [
    `${kind} ${id}  ${amountText(amountMinor, currency)}  ${environment}`,
    `    sent ${secondText(sentAt)}, no answer yet; asking the provider again ${next}`,
    ...ending(outcome).map((line) => `    ${line}`),
  ]
}

function ending({ sentAgainFrom, failsFrom }: UnknownOutcome): string[] {
  if (sentAgainFrom)
    return [`if the provider does not know it by ${secondText(sentAgainFrom)}, it is sent again`]
  if (failsFrom) return [`if the provider does not know it by ${secondText(failsFrom)}, it fails`]
  return []
}

function secondText(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`
}
