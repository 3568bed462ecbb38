// What only a person can say of a refund: which entry of the provider's list it is, or that it is
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
  summary: 'Say which entry of the provider’s list an unclear refund is, or that it is none',
  usage: [
    businessUsage,
    '--refund ID            of a break `refund_unclear` (see `cli breaks list`)',
    '--is ENTRY             this entry is the refund; it is never sent again',
    '--none-of ENTRY,…      all that the break shows, and none is it: it is sent once more',
    '--reason TEXT          how you know, for the record',
    '--email ADDRESS        an owner or admin; the password and the code are asked for',
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
    if (!isUuid(id)) throw new UsageError(`--refund is no id: ${id}`)
    const decision = decisionOption(options)
    const reason = lineOption(options, 'reason', 500)
    const member = await findMember(world, options)
    const actor = { ...member, environment: environmentOption(options) }
    await runOperation(decideRefund, context, actor, { id, decision, reason })
    print(
      decision.kind === 'is'
        ? `Decided: it is ${decision.entry}. It becomes what that entry says within seconds.`
        : 'Decided: it is none of them. It is sent once more in about ten minutes.',
    )
    return 0
  },
}

function decisionOption(options: CommandOptions): RefundDecision {
  const entries = listOption(options, 'none-of')
  const isNamed = options.is !== undefined
  if (isNamed === entries.length > 0) throw new UsageError('give either --is or --none-of')
  return isNamed ? { kind: 'is', entry: requiredOption(options, 'is') } : { kind: 'none', entries }
}
