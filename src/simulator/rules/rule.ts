// Misbehaviour as data: a rule says for which operation, amount and reference, how often and how
// the simulator misbehaves. It can affect a call of the API (the response that the caller sees), an
// outcome (what happens to the money), or a webhook.
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

// The refund webhook has no event name on the wire. Here it needs one.
const webhookEvents = [
  'charge.completed',
  'chargeback.initiated',
  'refund.completed',
  'transfer.completed',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

// Every word that a rule can use, so that a misspelt one does not compile.
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
  // refuse, refuse_after: the HTTP status.
  readonly status?: number
  // decline, fail, fail_late, …: the provider's reason.
  readonly reason?: string
  // overpay, underpay, other_amount: the difference in major units.
  readonly amount?: string
  readonly currency?: string
  // duplicate: the number of extra copies.
  readonly copies?: number
  // The delay of a later step; without it, the step waits for the control API. late: the age at
  // which an entry is listed; without it, never.
  readonly afterMs?: number
  // pass_through: the states of a refund in order.
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

// Operations are calls such as `POST /transfers`, or `*` for every call; `checkout`, `charge`,
// `refund` and `transfer` for outcomes; `refund_list` for the list of refunds; `webhook` or an
// event's name for webhooks.
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
