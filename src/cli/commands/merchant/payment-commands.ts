// Shows what happened to one payment and its money.
import { runOperation } from '../../../kernel/operations/run-operation.ts'
import { getPaymentTimeline } from '../../../merchant/payments/get-payment-timeline.ts'
import { commandActor } from '../../core/choose-business.ts'
import {
  businessUsage,
  type Command,
  jsonUsage,
  print,
  printJson,
  requiredOption,
  testUsage,
} from '../../core/command.ts'

export const showPaymentTimeline: Command = {
  name: 'payments timeline',
  summary: 'Show what happened to a payment and its money, newest first',
  usage: [businessUsage, '--payment ID           which one', testUsage, jsonUsage],
  options: {
    business: { type: 'string' },
    payment: { type: 'string' },
    test: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  async run({ context }, options) {
    const actor = await commandActor(context, options, 'cli payments timeline')
    const id = requiredOption(options, 'payment')
    const steps = await runOperation(getPaymentTimeline, context, actor, { id })
    if (options.json) printJson(steps)
    else for (const { at, text } of steps) print(`${at.toISOString()}  ${text}`)
    return 0
  },
}
