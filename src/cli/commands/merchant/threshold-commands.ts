// Approval thresholds. The owner of a business requests one and another member approves it. The
// operator sets the defaults for businesses without their own.
import { operatorActor } from '../../../kernel/auth/actor.ts'
import { runOperation } from '../../../kernel/operations/run-operation.ts'
import {
  heldOperations,
  isOptional,
  thresholdKinds,
  type WantedThreshold,
} from '../../../merchant/approvals/approval.ts'
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
    if (business && !own.some(isOptional)) print(recommendation)
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
    '--operation NAME       refund or payout: a single one above the amount',
    '                       daily_payouts: the payouts of a day together (optional)',
    '                       overdraft: by how much a refund overdraws the balance (optional)',
    '--currency CODE        for example NGN',
    '--amount NUMBER        in major units, for example 50000.00',
    '--off                  instead of --amount: removes daily_payouts or overdraft',
  ],
  options: {
    business: { type: 'string' },
    email: { type: 'string' },
    default: { type: 'boolean' },
    operation: { type: 'string' },
    currency: { type: 'string' },
    amount: { type: 'string' },
    off: { type: 'boolean' },
  },
  async run(world, options) {
    const { context } = world
    const threshold = thresholdOption(options)
    const meaning = describe(threshold)
    if (options.default) {
      const actor = operatorActor('cli thresholds set')
      await runOperation(setDefaultThreshold, context, actor, defaultOf(threshold))
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

// What the owner of a new business should know.
const recommendation =
  'Recommended: a limit for the payouts of a day (`--operation daily_payouts`), and approval of\n' +
  'refunds that overdraw the balance (`--operation overdraft --amount 0`).'

function describe({ operation, currency, amountMinor }: WantedThreshold): string {
  if (amountMinor === null) {
    return operation === 'overdraft'
      ? `refunds that overdraw the ${currency} balance need no approval`
      : `the ${currency} payouts of a day have no limit`
  }
  const amount = amountText(amountMinor, currency)
  if (operation === 'daily_payouts') {
    return `a payout that takes the payouts of a day above ${amount} needs an approval`
  }
  if (operation === 'overdraft') {
    return `a refund that overdraws the balance by more than ${amount} needs an approval`
  }
  return `a ${operation} above ${amount} needs an approval`
}

function thresholdOption(options: CommandOptions): WantedThreshold {
  const wanted = requiredOption(options, 'operation')
  const operation = thresholdKinds.find((known) => known === wanted)
  if (!operation) throw new UsageError(`--operation must be one of ${thresholdKinds.join(', ')}`)
  const currency = currencyOption(options)
  if (!options.off) {
    const amountMinor = amountOption(options, 'amount', currency, '0 or more')
    return { operation, currency: currency.code, amountMinor }
  }
  if (options.amount !== undefined) throw new UsageError('give either --amount or --off')
  if (!isOptional({ operation })) {
    throw new UsageError('--off is for daily_payouts and overdraft; the others always hold')
  }
  return { operation, currency: currency.code, amountMinor: null }
}

// Operators set only what every business has.
function defaultOf({ operation, currency, amountMinor }: WantedThreshold) {
  const held = heldOperations.find((known) => known === operation)
  if (!held || amountMinor === null) {
    throw new UsageError(`--default is for ${heldOperations.join(' and ')}`)
  }
  return { operation: held, currency, amountMinor }
}
