// Plans and subscriptions of a business. The payer pays the first period on the page whose address
// is printed; renewals are automatic.
import { Fault } from '../../../kernel/basics/fault.ts'
import { isUuid } from '../../../kernel/basics/id.ts'
import { runOperation } from '../../../kernel/operations/run-operation.ts'
import { subscriptionUrl } from '../../../merchant/checkout/page-addresses.ts'
import { cancelSubscription } from '../../../merchant/subscriptions/cancel-subscription.ts'
import { createPlan } from '../../../merchant/subscriptions/create-plan.ts'
import { createSubscription } from '../../../merchant/subscriptions/create-subscription.ts'
import { listPlans } from '../../../merchant/subscriptions/list-plans.ts'
import { listSubscriptions } from '../../../merchant/subscriptions/list-subscriptions.ts'
import { intervalText, type Plan } from '../../../merchant/subscriptions/plan.ts'
import type { SubscriptionWithoutCard } from '../../../merchant/subscriptions/subscription.ts'
import { amountOption, currencyOption } from '../../core/amount-option.ts'
import { commandActor } from '../../core/choose-business.ts'
import {
  businessUsage,
  type Command,
  type CommandOptions,
  jsonUsage,
  print,
  printJson,
  requiredOption,
  testUsage,
  UsageError,
} from '../../core/command.ts'
import { amountText } from './approval-commands.ts'

const options = {
  business: { type: 'string' },
  test: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

export const showPlans: Command = {
  name: 'plans',
  summary: 'List the newest plans of a business',
  usage: [businessUsage, testUsage, jsonUsage],
  options,
  async run({ context }, given) {
    const actor = await commandActor(context, given, 'cli plans')
    const plans = await runOperation(listPlans, context, actor, {})
    if (given.json) printJson(plans)
    else {
      for (const plan of plans) {
        const price = `${amountText(plan.amountMinor, plan.currency)} ${intervalText(plan)}`
        print(`${plan.id}  ${plan.name}, ${price} (${plan.timeZone})`)
      }
      if (plans.length === 0) print('None yet. Create one with `cli plans create`.')
    }
    return 0
  },
}

export const createNewPlan: Command = {
  name: 'plans create',
  summary: 'Create a plan',
  usage: [
    businessUsage,
    '--name TEXT            shown to payers',
    '--currency CODE        for example NGN',
    '--amount NUMBER        in major units, for example 50000.00',
    '--every UNIT           unit of the interval: day, week, month or year',
    '--count NUMBER         units in an interval (default: 1)',
    '--time-zone NAME       time zone of the billing days, for example Africa/Lagos (default: UTC)',
    testUsage,
    jsonUsage,
  ],
  options: {
    ...options,
    name: { type: 'string' },
    currency: { type: 'string' },
    amount: { type: 'string' },
    every: { type: 'string' },
    count: { type: 'string' },
    'time-zone': { type: 'string' },
  },
  async run({ context }, given) {
    const actor = await commandActor(context, given, 'cli plans create')
    const currency = currencyOption(given)
    const input = {
      name: requiredOption(given, 'name'),
      currency: currency.code,
      amountMinor: amountOption(given, 'amount', currency),
      // The operation refuses an unknown unit.
      intervalUnit: requiredOption(given, 'every') as Plan['intervalUnit'],
      intervalCount: given.count === undefined ? 1 : Number(requiredOption(given, 'count')),
      timeZone: given['time-zone'] === undefined ? 'UTC' : requiredOption(given, 'time-zone'),
    }
    const plan = await checkingOptions(() => runOperation(createPlan, context, actor, input))
    if (given.json) printJson(plan)
    else print(`Plan ${plan.id}: ${plan.name}, ${intervalText(plan)}.`)
    return 0
  },
}

export const showSubscriptions: Command = {
  name: 'subscriptions',
  summary: 'List the newest subscriptions of a business',
  usage: [businessUsage, testUsage, jsonUsage],
  options,
  async run({ context }, given) {
    const actor = await commandActor(context, given, 'cli subscriptions')
    const shown = await runOperation(listSubscriptions, context, actor, {})
    if (given.json) printJson(shown)
    else {
      for (const one of shown) {
        print(`${one.id}  ${one.status.padEnd(10)}  ${one.payerEmail}  ${nextText(one)}`.trimEnd())
      }
      if (shown.length === 0) print('None yet. Create one with `cli subscriptions create`.')
    }
    return 0
  },
}

// What happens next and when; empty if nothing is scheduled.
function nextText({ status, nextAt, cancelAtPeriodEnd }: SubscriptionWithoutCard): string {
  if (!nextAt) return ''
  const ofActive = cancelAtPeriodEnd ? 'ends' : 'renews'
  return `${status === 'active' ? ofActive : 'retried'} ${nextAt.toISOString()}`
}

export const createNewSubscription: Command = {
  name: 'subscriptions create',
  summary: 'Subscribe a payer to a plan and print the address of the payment page',
  usage: [
    businessUsage,
    '--plan ID              the plan (see `cli plans`)',
    '--email ADDRESS        of the payer',
    '--name TEXT            of the payer (default: none)',
    testUsage,
    jsonUsage,
  ],
  options: {
    ...options,
    plan: { type: 'string' },
    email: { type: 'string' },
    name: { type: 'string' },
  },
  async run({ context }, given) {
    const actor = await commandActor(context, given, 'cli subscriptions create')
    const input = {
      planId: uuidOption(given, 'plan'),
      payerEmail: requiredOption(given, 'email'),
      payerName: given.name === undefined ? null : requiredOption(given, 'name'),
    }
    const { id } = await checkingOptions(() =>
      runOperation(createSubscription, context, actor, input),
    )
    const url = subscriptionUrl(context.publicUrl, actor, id)
    if (given.json) printJson({ id, url })
    else print(`Subscription ${id}. Payment page: ${url}`)
    return 0
  },
}

export const endSubscription: Command = {
  name: 'subscriptions cancel',
  summary: 'Cancel a subscription; refunds nothing',
  usage: [
    businessUsage,
    '--subscription ID      the subscription (see `cli subscriptions`)',
    '--at-period-end        at the end of the paid period instead of now',
    testUsage,
  ],
  options: {
    ...options,
    subscription: { type: 'string' },
    'at-period-end': { type: 'boolean' },
  },
  async run({ context }, given) {
    const actor = await commandActor(context, given, 'cli subscriptions cancel')
    const id = uuidOption(given, 'subscription')
    const when = given['at-period-end'] ? 'period_end' : 'now'
    const wanted = { id, when } as const
    const { status, nextAt } = await runOperation(cancelSubscription, context, actor, wanted)
    print(status === 'cancelled' ? 'Cancelled.' : `Ends on ${nextAt?.toISOString()}.`)
    return 0
  },
}

// Options whose name differs from the input field.
const optionNames: Readonly<Record<string, string>> = {
  amountMinor: 'amount',
  intervalUnit: 'every',
  intervalCount: 'count',
  timeZone: 'time-zone',
  payerEmail: 'email',
  payerName: 'name',
}

// Reports refused fields as wrong options.
async function checkingOptions<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Fault) || typeof error.error === 'string') throw error
    const [refused] = Object.entries(error.error.fieldErrors)
    if (!refused) throw error
    const [field, [message]] = refused
    throw new UsageError(`--${optionNames[field] ?? field}: ${message}`, { cause: error })
  }
}

function uuidOption(given: CommandOptions, name: string): string {
  const id = requiredOption(given, name)
  if (isUuid(id)) return id.toLowerCase()
  throw new UsageError(`--${name} must be a UUID`)
}
