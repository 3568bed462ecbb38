// What is being found out at the payment provider, for whoever wonders why nothing happens.
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
  summary: 'List payouts and refunds whose outcome is being found out, and until when',
  usage: ['--business ID          of this business alone', jsonUsage],
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

const nothing = ['Every payout and refund that was sent has its answer.']

const advice = [
  '',
  'Nothing has to be done: the service asks the provider by itself, as long as it runs. It sends',
  'again only what the provider does not know after ten minutes, since sooner could pay twice. Do',
  'not ask for the same again meanwhile. What stays unknown for three days becomes a break.',
]

function describe(outcome: UnknownOutcome): string[] {
  const { kind, id, amountMinor, currency, environment, sentAt, nextLookAt } = outcome
  const next = nextLookAt === null ? 'within seconds' : `at ${secondText(nextLookAt)}`
  return [
    `${kind} ${id}  ${amountText(amountMinor, currency)}  ${environment}`,
    `    sent ${secondText(sentAt)}, no answer yet; the provider is asked next ${next}`,
    ...ending(outcome).map((line) => `    ${line}`),
  ]
}

function ending({ sentAgainFrom, failsFrom }: UnknownOutcome): string[] {
  if (sentAgainFrom) return [`if it does not know it by ${secondText(sentAgainFrom)}, sent again`]
  if (failsFrom) return [`if it does not know it by ${secondText(failsFrom)}, failed`]
  return []
}

function secondText(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`
}
