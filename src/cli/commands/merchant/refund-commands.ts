// Decides an unclear refund: a person says which entry of the provider's list it is, or that it is
// none of them.
import { isUuid } from '../../../kernel/basics/id.ts'
import { runOperation } from '../../../kernel/operations/run-operation.ts'
import { decideRefund, type RefundDecision } from '../../../merchant/refunds/decide-refund.ts'
import {
  businessUsage,
  type Command,
  type CommandOptions,
  lineOption,
  listOption,
  print,
  requiredOption,
  testUsage,
  UsageError,
} from '../../core/command.ts'
import { environmentOption } from '../../core/environment-option.ts'
import { findMember } from './approval-commands.ts'

export const decideUnclearRefund: Command = {
  name: 'refunds decide',
  summary: "Match an unclear refund with an entry of the provider's list, or with none",
  usage: [
    businessUsage,
    '--refund ID            of a discrepancy `refund_unclear` (see `cli discrepancies list`)',
    '--is ENTRY             this entry is the refund; it is not sent again',
    '--none-of ENTRY,…      the refund is none of these (list all that the discrepancy shows)',
    '--reason TEXT          how you know, for the audit log',
    '--email ADDRESS        of an owner or admin; asks for password and code',
    testUsage,
  ],
  options: {
    business: { type: 'string' },
    refund: { type: 'string' },
    is: { type: 'string' },
    'none-of': { type: 'string' },
    reason: { type: 'string' },
    email: { type: 'string' },
    test: { type: 'boolean' },
  },
  async run(world, options) {
    const { context } = world
    const id = requiredOption(options, 'refund')
    if (!isUuid(id)) throw new UsageError(`--refund is not an id: ${id}`)
    const decision = decisionOption(options)
    const reason = lineOption(options, 'reason', 500)
    const member = await findMember(world, options)
    const actor = { ...member, environment: environmentOption(options) }
    await runOperation(decideRefund, context, actor, { id, decision, reason })
    print(
      decision.kind === 'is'
        ? `Matched with ${decision.entry}. The refund gets its status within seconds.`
        : 'Matched with none. `cli outcomes` shows what happens next, and when.',
    )
    return 0
  },
}

function decisionOption(options: CommandOptions): RefundDecision {
  const entries = listOption(options, 'none-of')
  const isNamed = options.is !== undefined
  if (isNamed === entries.length > 0) throw new UsageError('use either --is or --none-of')
  return isNamed ? { kind: 'is', entry: requiredOption(options, 'is') } : { kind: 'none', entries }
}
