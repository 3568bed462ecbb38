// Misbehaviour as data: a rule says at which operation, for which amount and reference, how often
// and how the simulator misbehaves. There are three places where it can: a call of the API (what
// the caller sees of the answer), an outcome (what happens to the money), a webhook.
import { Fault } from '../../kernel/basics/fault.ts'
import type { Decimal } from '../../kernel/money/decimal.ts'

const callEffects = [
  'delay',
  'delay_after',
  'drop',
  'drop_after',
  'refuse',
  'refuse_after',
  'unreadable',
] as const

const checkoutEffects = ['refuse_repeated'] as const

const chargeEffects = [
  'charge_back',
  'contradict_in_list',
  'contradict_in_verify',
  'decline',
  'hide_reference',
  'other_currency',
  'overpay',
  'reverse',
  'settle_later',
  'split_not_applied',
  'stay_pending',
  'succeed_after_decline',
  'succeed_after_timeout',
  'underpay',
] as const

const refundEffects = [
  'fail_later',
  'pass_through',
  'refuse_charged_back',
  'stay_accepted',
] as const

const refundListEffects = ['late', 'other_amount'] as const

const transferEffects = [
  'fail',
  'fail_after_success',
  'fail_late',
  'stay_new',
  'stay_pending',
] as const

const webhookEffects = ['contradict', 'delay', 'duplicate', 'reorder', 'withhold'] as const

// The refund webhook has no event's name on the wire; here it needs one.
const webhookEvents = [
  'charge.completed',
  'chargeback.initiated',
  'refund.completed',
  'transfer.completed',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

// Every word that a rule may use, so that a misspelt one does not compile.
type EffectName = (typeof effectNames)[number]
const effectNames = [
  ...callEffects,
  ...checkoutEffects,
  ...chargeEffects,
  ...refundEffects,
  ...refundListEffects,
  ...transferEffects,
  ...webhookEffects,
] as const

export type Parameters = {
  // delay, delay_after: how long.
  readonly ms?: number
  // refuse, refuse_after: which HTTP status.
  readonly status?: number
  // decline, fail, fail_late, …: what the provider says.
  readonly reason?: string
  // overpay, underpay, other_amount: by how much, in major units.
  readonly amount?: string
  readonly currency?: string
  // duplicate: how many more.
  readonly copies?: number
  // What comes later comes after this time; without it, when it is told to. late: how old an entry
  // is before it is listed; without it, none ever is.
  readonly afterMs?: number
  // pass_through: the states of a refund one after the other.
  readonly states?: readonly string[]
}

export type Effect<Name extends string = string> = {
  readonly effect: Name
  readonly parameters: Parameters
}

export type Rule = Effect & {
  readonly id: bigint
  readonly operation: string
  readonly amount: Decimal | null
  readonly referenceLike: string | null
  readonly remaining: number | null
  readonly used: number
}

// What a rule's amount and reference are compared with.
export type Subject = {
  readonly amount?: Decimal | undefined
  readonly reference?: string | undefined
}

// Operations are `POST /transfers` and the like, or `*` for every call; `checkout`, `charge`,
// `refund` and `transfer` for outcomes; `refund_list` for what the list of refunds says; `webhook` or
// an event's name for webhooks.
export function checkRule(operation: string, effect: string, calls: readonly string[]): void {
  const known = effectsOf(operation, calls)
  if (!known) throw new Fault('invalid_request', `operation ${operation} is unknown`)
  if (!known.includes(effect)) {
    throw new Fault(
      'invalid_request',
      `effect ${effect} is unknown for ${operation}; known are ${known.join(', ')}`,
    )
  }
}

function effectsOf(operation: string, calls: readonly string[]): readonly string[] | undefined {
  if (operation === '*' || calls.includes(operation)) return callEffects
  if (operation === 'checkout') return checkoutEffects
  if (operation === 'charge') return chargeEffects
  if (operation === 'refund') return refundEffects
  if (operation === 'refund_list') return refundListEffects
  if (operation === 'transfer') return transferEffects
  const events: readonly string[] = ['webhook', ...webhookEvents]
  return events.includes(operation) ? webhookEffects : undefined
}

export function findEffect<Name extends EffectName>(
  effects: readonly Effect[],
  name: Name,
): Effect<Name> | undefined {
  return effects.find((entry): entry is Effect<Name> => entry.effect === name)
}
