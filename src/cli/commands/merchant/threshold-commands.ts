// Approval thresholds. The owner of a business requests one and another member approves it. The
// operator sets the defaults for businesses without their own.
import { operatorActor } from '../../../kernel/auth/actor.ts'
import { runOperation } from '../../../kernel/operations/run-operation.ts'
import { heldOperations, type Threshold } from '../../../merchant/approvals/approval.ts'
import { listThresholds } from '../../../merchant/approvals/list-thresholds.ts'
import { requestThreshold } from '../../../merchant/approvals/request-threshold.ts'
import { setDefaultThreshold } from '../../../merchant/approvals/set-default-threshold.ts'
import { amountOption, currencyOption } from '../../core/amount-option.ts'
import { findNamedOrOnlyBusiness, systemActor } from '../../core/choose-business.ts'
import {
  businessUsage,
  type Command,
  type CommandOptions,
  jsonUsage,
  print,
  printJson,
  requiredOption,
  UsageError,
} from '../../core/command.ts'
import { amountText, findMember } from './approval-commands.ts'

export const showThresholds: Command = {
  name: 'thresholds list',
  summary: 'List approval thresholds',
  usage: [
    '--business ID          include the thresholds of this business (default: the only one)',
    jsonUsage,
  ],
  options: { business: { type: 'string' }, json: { type: 'boolean' } },
  async run({ context }, options) {
    const business = await findNamedOrOnlyBusiness(context, options)
    const name = 'cli thresholds list'
    const actor = business
      ? systemActor(name, { businessId: business.id, environment: 'live' })
      : operatorActor(name)
    const { own, defaults } = await runOperation(listThresholds, context, actor, {})
    if (options.json) {
      const everybodys = defaults.map(({ isReplaced: _, ...threshold }) => threshold)
      printJson({ ...(business && { business: own }), default: everybodys })
      return 0
    }
    for (const threshold of own) print(`the business  ${describe(threshold)}`)
    for (const threshold of defaults) {
      const note = threshold.isReplaced ? ' (not used: the business has its own)' : ''
      print(`the default   ${describe(threshold)}${note}`)
    }
    print('Without a threshold, every live refund and payout needs an approval.')
    return 0
  },
}

export const setApprovalThreshold: Command = {
  name: 'thresholds set',
  summary: 'Set the amount above which a refund or payout needs an approval',
  usage: [
    businessUsage,
    '--email ADDRESS        of the owner; asks for password and code',
    '--default              instead of --business and --email: for businesses without a threshold',
    `--operation NAME       ${heldOperations.join(' or ')}`,
    '--currency CODE        for example NGN',
    '--amount NUMBER        in major units, for example 50000.00',
  ],
  options: {
    business: { type: 'string' },
    email: { type: 'string' },
    default: { type: 'boolean' },
    operation: { type: 'string' },
    currency: { type: 'string' },
    amount: { type: 'string' },
  },
  async run(world, options) {
    const { context } = world
    const threshold = thresholdOption(options)
    const meaning = describe(threshold)
    if (options.default) {
      const actor = operatorActor('cli thresholds set')
      await runOperation(setDefaultThreshold, context, actor, threshold)
      print(`Saved for businesses without their own threshold: ${meaning}.`)
      return 0
    }
    const owner = await findMember(world, options)
    const { approvalId } = await runOperation(requestThreshold, context, owner, threshold)
    if (approvalId === null) print(`Saved: ${meaning}.`)
    else print(`Waiting for approval by another member (approval ${approvalId}): ${meaning}.`)
    return 0
  },
}

function describe({ operation, currency, amountMinor }: Threshold): string {
  return `a ${operation} above ${amountText(amountMinor, currency)} needs an approval`
}

function thresholdOption(options: CommandOptions): Threshold {
  const wanted = requiredOption(options, 'operation')
  const operation = heldOperations.find((known) => known === wanted)
  if (!operation) throw new UsageError(`--operation must be ${heldOperations.join(' or ')}`)
  const currency = currencyOption(options)
  const amountMinor = amountOption(options, 'amount', currency, '0 or more')
  return { operation, currency: currency.code, amountMinor }
}
