// The part of the model about subscriptions: what is paid, what is due, and what the saved card is
// charged. All days are UTC.
import { expect } from 'vitest'
import {
  become,
  type Charge,
  hear,
  isOpen,
  isPaused,
  type Model,
  minuteMs,
  newCharge,
  newPayment,
  type Page,
  type Payment,
  renewalMs,
} from './model.ts'

export type Subscription = {
  readonly id: string
  readonly page: Page
  readonly daysOfPeriod: number
  status: 'incomplete' | 'active' | 'past_due' | 'cancelled'
  endsWithPeriod: boolean
  // The first moment of the day on which the first period was paid.
  anchorMs: number | undefined
  // The newest period, whether it is paid, and how many of our charges of it have failed.
  period: number
  isPaid: boolean
  failures: number
  // The charge of it that we made last.
  charge: { readonly payment: Payment; sentAtMs: number; sends: number } | undefined
  nextAtMs: number | undefined
}

export const dayMs = 24 * 60 * minuteMs
const lookAfterMs = 2 * minuteMs
const payerGoesFirstMs = 60 * minuteMs
const sendAgainMs = 10 * minuteMs
const retryDelaysMs = [dayMs, 2 * dayMs, 2 * dayMs, 2 * dayMs]

// How the provider takes what it is sent: undefined when it did not arrive.
export type Answer = { readonly charge: Partial<Charge> | undefined; readonly isHeard: boolean }

export function openPaymentOf(model: Model, { page }: Subscription): Payment | undefined {
  return model.payments.find((payment) => payment.page === page && isOpen(payment))
}

export function isDue({ nowMs }: Model, { nextAtMs }: Subscription): boolean {
  return nextAtMs !== undefined && nextAtMs <= nowMs
}

// A payment of the newest period, by us or on the page.
export function newPeriodPayment(
  model: Model,
  subscription: Subscription,
  made: Pick<Payment, 'id' | 'reference'>,
  isRenewal: boolean,
): Payment {
  const { page, period } = subscription
  const onBecome = (payment: Payment) => {
    if (period !== subscription.period) return
    if (payment.status === 'succeeded' && !subscription.isPaid) collect(model, subscription)
    // What a payer could not pay changes nothing.
    if (payment.status === 'failed' && isRenewal) fail(model, subscription)
  }
  return newPayment(model, page, made, { isRenewal, onBecome })
}

function collect(model: Model, subscription: Subscription): void {
  const { nowMs } = model
  subscription.isPaid = true
  subscription.anchorMs ??= startOfDay(nowMs)
  if (subscription.status === 'cancelled') {
    model.tally('subscription × paid after it was cancelled')
    return
  }
  changeStatus(model, subscription, 'active')
  const { anchorMs, daysOfPeriod, period } = subscription
  const newest = Math.max(period, runningPeriod(subscription, nowMs))
  subscription.nextAtMs = anchorMs + newest * daysOfPeriod * dayMs
}

function fail(model: Model, subscription: Subscription): void {
  subscription.failures += 1
  if (subscription.status === 'cancelled') return
  const delayMs = retryDelaysMs[subscription.failures - 1]
  if (delayMs === undefined || subscription.endsWithPeriod) {
    end(model, subscription, delayMs === undefined ? 'tried often enough' : 'ends with its period')
    return
  }
  changeStatus(model, subscription, 'past_due')
  subscription.nextAtMs = model.nowMs + delayMs
}

export function end(model: Model, subscription: Subscription, why: string): void {
  changeStatus(model, subscription, 'cancelled', why)
  subscription.nextAtMs = undefined
}

// The worker has run: `identify` tells what the payment is that it must have made.
export async function runSubscriptions(
  model: Model,
  answer: Answer,
  identify: (subscription: Subscription) => Promise<Pick<Payment, 'id' | 'reference'>>,
): Promise<void> {
  for (const subscription of model.subscriptions.filter((one) => isDue(model, one))) {
    const { charge, status } = subscription
    const { nowMs } = model
    if (charge && isOpen(charge.payment)) look(model, subscription, answer)
    else if (isPaused(model, 'payments')) model.tally('renewal × waits for a pause')
    else if (status === 'active' && subscription.endsWithPeriod) {
      end(model, subscription, 'its period is over')
    } else if (openPaymentOf(model, subscription)) {
      subscription.nextAtMs = nowMs + payerGoesFirstMs
      model.tally('renewal × waits for the payer')
    } else {
      beginCharge(model, subscription, await identify(subscription))
      send(model, subscription, answer)
    }
  }
}

function beginCharge(
  model: Model,
  subscription: Subscription,
  made: Pick<Payment, 'id' | 'reference'>,
): void {
  const { nowMs } = model
  if (subscription.isPaid) {
    const running = runningPeriod(subscription, nowMs)
    if (running > subscription.period + 1) model.tally('renewal × periods passed over')
    subscription.period = Math.max(running, subscription.period + 1)
    subscription.isPaid = false
    subscription.failures = 0
  } else model.tally(`renewal × try ${subscription.failures + 1}`)
  const payment = newPeriodPayment(model, subscription, made, true)
  subscription.charge = { payment, sentAtMs: nowMs, sends: 0 }
  subscription.nextAtMs = nowMs + lookAfterMs
}

// Of a charge whose end is not known.
function look(model: Model, subscription: Subscription, answer: Answer): void {
  const { nowMs } = model
  const { payment, sentAtMs } = subscription.charge ?? {}
  if (!payment || sentAtMs === undefined) return
  subscription.nextAtMs = nowMs + lookAfterMs
  hear(model, payment)
  if (!isOpen(payment) || payment.charge) return
  if (nowMs >= payment.createdAtMs + renewalMs) become(model, payment, 'failed', 'never arrived')
  else if (nowMs >= sentAtMs + sendAgainMs) {
    model.tally(`renewal × sent again${isPaused(model, 'payments') ? ' in a pause' : ''}`)
    send(model, subscription, answer)
  }
}

function send(model: Model, subscription: Subscription, { charge, isHeard }: Answer): void {
  const sent = subscription.charge
  expect(sent?.payment.charge, 'a charge that the provider has already').toBeUndefined()
  if (!sent) return
  sent.sends += 1
  sent.sentAtMs = model.nowMs
  if (charge) sent.payment.charge = newCharge(sent.payment.amountMinor, charge)
  if (isHeard) hear(model, sent.payment)
}

function changeStatus(
  model: Model,
  subscription: Subscription,
  status: Subscription['status'],
  why = 'plain',
): void {
  if (status !== subscription.status) {
    model.tally(`subscription ${subscription.status} → ${status} × ${why}`)
  }
  subscription.status = status
}

function runningPeriod({ anchorMs = 0, daysOfPeriod }: Subscription, nowMs: number): number {
  return Math.floor((startOfDay(nowMs) - anchorMs) / (daysOfPeriod * dayMs)) + 1
}

function startOfDay(ms: number): number {
  return ms - (ms % dayMs)
}
