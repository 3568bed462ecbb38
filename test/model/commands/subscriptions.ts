// Subscriptions: started, paid on their page, renewed with a misbehaving provider, paused,
// cancelled.
import { expect } from 'vitest'
import { lift, pause } from '../../support/pauses.ts'
import { pressPay } from '../../support/payments.ts'
import { cancel, subscription } from '../../support/subscriptions.ts'
import { defineCommand, nothing, pick, type Subject } from '../command.ts'
import { become, isPaused, type Model, minuteMs, runBackground } from '../model.ts'
import type { Real } from '../real.ts'
import {
  type Answer,
  dayMs,
  end,
  isDue,
  newPeriodPayment,
  openPaymentOf,
  runSubscriptions,
  type Subscription,
} from '../subscriptions.ts'
import { passTime } from './time.ts'

const amountMinor = 200_000n

const begin = defineCommand(
  'begin a subscription',
  [{ intervalUnit: 'day' }, { intervalUnit: 'week' }] as const,
  (model) => (model.subscriptions.filter(isLive).length < 2 ? model : undefined),
  async (model, real, _, { intervalUnit }) => {
    const { id, page: path } = await subscription(real.world, { intervalUnit, amountMinor }, real)
    model.subscriptions.push({
      id,
      page: { kind: 'subscription', path, amountMinor, singleUse: false },
      daysOfPeriod: intervalUnit === 'day' ? 1 : 7,
      status: 'incomplete',
      endsWithPeriod: false,
      anchorMs: undefined,
      period: 1,
      isPaid: false,
      failures: 0,
      charge: undefined,
      nextAtMs: undefined,
    })
  },
)

const press = defineCommand(
  'press Pay on a subscription',
  nothing,
  // Mostly one that can be paid.
  (model, nth) =>
    nth % 4 === 3 ? pick(model.subscriptions, nth) : pickIn(model, nth, 'past_due', 'incomplete'),
  async (model, real, one) => {
    const { status } = await pressPay(real.world, one.page.path)
    const expected = expectedAnswer(model, one)
    expect(status, `Pay of one that is ${one.status}`).toBe(expected)
    model.tally(`press Pay × ${one.status}, answer ${expected}`)
    if (expected !== 303) return
    newPeriodPayment(model, one, await real.findNewPayment(model, one.id), false)
  },
)

function expectedAnswer(model: Model, one: Subscription): number {
  if (one.status === 'active' || one.status === 'cancelled') return 410
  if (isPaused(model, 'payments')) return 503
  return openPaymentOf(model, one) ? 409 : 303
}

const cancelOne = defineCommand(
  'cancel a subscription',
  ['now', 'period_end'] as const,
  (model, nth) =>
    nth % 3 === 0
      ? pickIn(model, nth, 'active', 'past_due', 'incomplete')
      : pickIn(model, nth, nth % 9 === 1 ? 'cancelled' : undefined),
  async (model, real, one, when) => {
    await cancel(real.world, { ...real, id: one.id, page: one.page.path }, when)
    model.tally(`cancel subscription × ${one.status}, ${when}`)
    // A payer who is on the provider's page would pay for nothing.
    const open = openPaymentOf(model, one)
    if (open?.status === 'pending') become(model, open, 'cancelled', 'cancel')
    if (one.status === 'cancelled') return
    if (when === 'period_end' && one.status === 'active') one.endsWithPeriod = true
    else end(model, one, 'cancel')
  },
)

// Of the first of the states that there is one of.
function pickIn(
  { subscriptions }: Model,
  nth: number,
  ...states: (Subscription['status'] | undefined)[]
): Subscription | undefined {
  for (const state of states) {
    const one = pick(subscriptions, nth, ({ status }) => status === state)
    if (one) return one
  }
  return undefined
}

const chargeCall = 'POST /tokenized-charges'
const faults: Readonly<Record<string, { rules: readonly object[]; answer: Answer }>> = {
  none: { rules: [], answer: { charge: {}, isHeard: true } },
  declined: {
    rules: [{ operation: 'charge', effect: 'decline' }],
    answer: { charge: { status: 'failed', isSettled: false }, isHeard: true },
  },
  'lost before': {
    rules: [{ operation: chargeCall, effect: 'drop' }],
    answer: { charge: undefined, isHeard: false },
  },
  'lost after': {
    // In the list, reconciliation would find it at once.
    rules: [
      { operation: chargeCall, effect: 'drop_after' },
      { operation: 'charge', effect: 'hide_reference' },
    ],
    answer: { charge: {}, isHeard: false },
  },
  'stays pending': {
    rules: [{ operation: 'charge', effect: 'stay_pending' }],
    answer: { charge: { status: 'pending' }, isHeard: true },
  },
}

// Without a fault it can run at any time; with one, only when a charge is due.
const renew = defineCommand(
  'run the worker',
  Object.keys(faults),
  (model, _nth, fault) =>
    fault === 'none' || model.subscriptions.some((one) => isDue(model, one)) ? model : undefined,
  async (model, real, _, fault) => workOnSubscriptions(model, real, fault),
)

export async function workOnSubscriptions(model: Model, real: Real, fault = 'none'): Promise<void> {
  const { rules = [], answer = { charge: {}, isHeard: true } } = faults[fault] ?? {}
  const sends = sendsOf(model)
  await real.under(rules, () => real.runBackground())
  runBackground(model)
  await runSubscriptions(model, answer, ({ id }) => real.findNewPayment(model, id))
  if (sendsOf(model) !== sends) model.tally(`renewal × ${fault}`)
}

function sendsOf({ subscriptions }: Model): string {
  return subscriptions
    .map(({ period, charge }) => `${period} ${charge?.payment.id} ${charge?.sends}`)
    .join()
}

// The worker may come much later than the moment.
const goToDue = defineCommand(
  'go to what is due next',
  [0, 90],
  (model) => nextDueMs(model),
  async (model, real, dueMs, minutes) => {
    await passTime(model, real, (dueMs - model.nowMs) / minuteMs + minutes)
  },
)

export function nextDueMs(model: Model): number | undefined {
  const times = model.subscriptions.flatMap(({ nextAtMs = 0 }) => nextAtMs)
  const later = times.filter((ms) => ms > model.nowMs)
  return later.length === 0 ? undefined : Math.min(...later)
}

const passDays = defineCommand(
  'days pass',
  [1, 3],
  (model, nth) => (nth % 2 === 0 && model.subscriptions.some(isBegun) ? model : undefined),
  async (model, real, _, days) => passTime(model, real, (days * dayMs) / minuteMs),
)

function isLive({ status }: Subscription): boolean {
  return status !== 'cancelled'
}

function isBegun({ status }: Subscription): boolean {
  return status === 'active' || status === 'past_due'
}

// Longer than the shorter of the steps in which days pass.
const pauseMinutes = 36 * 60

const pausePayments = defineCommand(
  'pause payments',
  nothing,
  (model, nth) => (nth % 2 === 0 && !isPaused(model, 'payments') ? model : undefined),
  async (model, real) => {
    await pause(real.world, 'payments', pauseMinutes * 60)
    model.pausedUntilMs.set('payments', model.nowMs + pauseMinutes * minuteMs)
  },
)

const liftPayments = defineCommand(
  'lift the pause',
  nothing,
  (model) => (isPaused(model, 'payments') ? model : undefined),
  async (model, real) => liftPause(model, real),
)

export async function liftPause(model: Model, real: Real): Promise<void> {
  expect(await lift(real.world, 'payments')).toBe(isPaused(model, 'payments'))
  model.pausedUntilMs.delete('payments')
}

const worker = (fault: string) => `run the worker (${fault})`
const subscribed = [
  'begin a subscription (intervalUnit day)',
  ...['press Pay on a subscription', 'pay by card (none)', 'come back'],
]
const due = 'go to what is due next (0)'

export const subscriptions: Subject = {
  openings: [
    [
      // Declined until it has been tried often enough.
      ...[...subscribed, due, worker('declined'), due, worker('declined')],
      ...[due, worker('declined'), due, worker('declined'), due, worker('declined')],
    ],
    [
      // Sent before a pause, and again in it; the next waits until it is over.
      ...[...subscribed, due, worker('lost before'), 'pause payments'],
      ...['advance the clock (15)', worker('lost before'), 'advance the clock (15)'],
      ...[worker('none'), due, worker('none'), 'lift the pause', worker('none')],
      ...[due, worker('lost before'), 'advance the clock (15)', worker('none')],
    ],
    [
      // Past due, and the payer pays it while we would try again.
      ...[...subscribed, due, worker('declined'), due, 'press Pay on a subscription'],
      ...[worker('none'), 'pay by card (none)', 'come back', due, worker('stays pending')],
      ...['days pass (1)', worker('none'), 'decide a pending charge', worker('none')],
      ...[due, worker('lost after'), 'cancel a subscription (now)', worker('none')],
    ],
    [
      ...[...subscribed, 'cancel a subscription (period_end)', due, worker('none')],
      ...[...subscribed, 'days pass (3)', worker('none'), due, worker('lost before')],
      ...['days pass (1)', worker('none'), 'cancel a subscription (period_end)', worker('none')],
    ],
  ],
  commands: [
    ...[begin, press, press, cancelOne, pausePayments, liftPayments],
    ...[renew, renew, renew, renew, renew, goToDue, goToDue, goToDue, goToDue, passDays],
  ],
  reached: [
    ...Object.keys(faults).map((name) => `renewal × ${name}`),
    'subscription incomplete → active × plain',
    'subscription active → past_due × plain',
    'subscription past_due → active × plain',
    'subscription active → cancelled × cancel',
    'subscription active → cancelled × its period is over',
    'subscription past_due → cancelled × cancel',
    'subscription past_due → cancelled × tried often enough',
    'subscription × paid after it was cancelled',
    'renewal × try 5',
    'renewal × periods passed over',
    'renewal × sent again',
    'renewal × sent again in a pause',
    'renewal × waits for a pause',
    'renewal × waits for the payer',
    'processing → failed × never arrived',
    'press Pay × incomplete, answer 303',
    'press Pay × past_due, answer 303',
    'press Pay × active, answer 410',
    'press Pay × cancelled, answer 410',
  ],
}
