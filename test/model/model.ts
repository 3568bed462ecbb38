// The expected state, in a few plain fields: the payments as a merchant sees them, and what really
// happened at the provider. No database, no HTTP. A command does the same to the application and to
// this, and afterwards both must agree.
import type { PauseKind } from '../../src/merchant/pauses/pause.ts'
import type { Payout } from './money-out.ts'
import { type Recipient, splitMinorOf } from './recipients.ts'
import type { Subscription } from './subscriptions.ts'

export type Page = {
  readonly kind: 'link' | 'code' | 'subscription' | 'invoice'
  readonly path: string
  readonly amountMinor: bigint
  readonly singleUse: boolean
  readonly recipient?: Recipient
  // Of a link: the key under which it was asked for, and the answer.
  readonly repeat?: { readonly key: string; readonly body: object; readonly answer: string }
}

// What the provider has of a payment. `reversed` is a success that it took back.
export type Charge = {
  status: 'pending' | 'successful' | 'failed' | 'reversed'
  paidMinor: bigint
  currency: string
  isSettled: boolean
  chargeback: 'none' | 'open' | 'won'
}

export type Refund = {
  readonly amountMinor: bigint
  // lost_before: no answer, and the provider did nothing; lost_after: no answer, and it acted;
  // waiting: approved, the resolver has not sent it; executed: it counts; failing: it counts, and
  // the provider will not pay it; given_up: the provider did not have it for a day; appeared: it
  // has it after all, and we do not know.
  state:
    | 'lost_before'
    | 'lost_after'
    | 'waiting'
    | 'executed'
    | 'failing'
    | 'reversed'
    | 'failed'
    | 'given_up'
    | 'appeared'
  readonly askedAtMs: number
  // Of a lost one: when the provider was first found not to have it.
  absentAtMs?: number
}

export type Approval = {
  readonly id: string
  readonly payment: Payment
  readonly amountMinor: bigint
  readonly refundedMinor: bigint
  state: 'pending' | 'approved' | 'rejected' | 'void'
}

export type Status =
  | 'pending'
  | 'processing'
  | 'succeeded'
  | 'partially_refunded'
  | 'refunded'
  | 'failed'
  | 'cancelled'

export type Payment = {
  readonly id: string
  readonly reference: string
  readonly page: Page
  readonly amountMinor: bigint
  readonly splitMinor: bigint
  readonly createdAtMs: number
  // Made by us, with a saved card: no payer is on a page.
  readonly isRenewal: boolean
  // Told when its state has changed.
  readonly onBecome: ((payment: Payment) => void) | undefined
  status: Status
  refundedMinor: bigint
  readonly refunds: Refund[]
  charge: Charge | undefined
  // What we know of what happened after the success.
  isSettled: boolean
  isReversed: boolean
  // What the merchant bears of a chargeback.
  chargedBackMinor: bigint
  // Money came that this payment did not want.
  isLate: boolean
  isUnmatched: boolean
}

// Paid by its customer on its page, in part or as a whole.
export type Invoice = {
  readonly id: string
  readonly path: string
  readonly contactId: string
  readonly totalMinor: bigint
  // Paid or credited in another way.
  settledMinor: bigint
  isCredited: boolean
  isVoid: boolean
}

export type Model = {
  nowMs: number
  readonly pages: Page[]
  readonly payments: Payment[]
  readonly approvals: Approval[]
  readonly payouts: Payout[]
  // Moved back from the wallet, all together.
  returnedMinor: bigint
  readonly recipients: Recipient[]
  readonly subscriptions: Subscription[]
  readonly invoices: Invoice[]
  readonly pausedUntilMs: Map<PauseKind, number>
  // What was reached, and how often, over all runs: `transition × fault`.
  tally(name: string): void
}

export const minuteMs = 60_000
// Above this a refund waits for a second person.
export const thresholdMinor = 300_000n
const sessionMs = 30 * minuteMs
export const renewalMs = 24 * 60 * minuteMs
const graceMs = 5 * minuteMs

export function newModel(nowMs: number, tally: Model['tally']): Model {
  return {
    nowMs,
    pages: [],
    payments: [],
    approvals: [],
    payouts: [],
    returnedMinor: 0n,
    recipients: [],
    subscriptions: [],
    invoices: [],
    pausedUntilMs: new Map(),
    tally,
  }
}

export function newPayment(
  model: Model,
  page: Page,
  { id, reference }: Pick<Payment, 'id' | 'reference'>,
  subscribed?: Pick<Payment, 'isRenewal' | 'onBecome'>,
): Payment {
  const payment: Payment = {
    id,
    reference,
    page,
    amountMinor: page.amountMinor,
    splitMinor: splitMinorOf(page),
    createdAtMs: model.nowMs,
    isRenewal: subscribed?.isRenewal ?? false,
    onBecome: subscribed?.onBecome,
    status: subscribed?.isRenewal ? 'processing' : 'pending',
    refundedMinor: 0n,
    refunds: [],
    charge: undefined,
    isSettled: false,
    isReversed: false,
    chargedBackMinor: 0n,
    isLate: false,
    isUnmatched: false,
  }
  model.payments.push(payment)
  return payment
}

export function newCharge(paidMinor: bigint, known: Partial<Charge> = {}): Charge {
  const plain = { status: 'successful', currency: 'NGN', isSettled: true } as const
  return { ...plain, chargeback: 'none', paidMinor, ...known }
}

export function isPaused({ nowMs, pausedUntilMs }: Model, kind: PauseKind): boolean {
  return (pausedUntilMs.get(kind) ?? 0) > nowMs
}

export function isOpen({ status }: Payment): boolean {
  return status === 'pending' || status === 'processing'
}

export function isCollected({ status }: Payment): boolean {
  return status === 'succeeded' || status === 'partially_refunded' || status === 'refunded'
}

export function canBePaid(model: Model, payment: Payment): boolean {
  if (payment.isRenewal || payment.charge !== undefined) return false
  return model.nowMs < payment.createdAtMs + sessionMs
}

export function inFlight({ refunds }: Payment): Refund | undefined {
  const states = ['lost_before', 'lost_after', 'waiting']
  return refunds.find(({ state }) => states.includes(state))
}

export function remainingMinor(payment: Payment): bigint {
  return payment.amountMinor - payment.refundedMinor - payment.chargedBackMinor
}

export function become(model: Model, payment: Payment, status: Status, why = 'plain'): void {
  if (status === payment.status) return
  model.tally(`${payment.status} → ${status} × ${why}`)
  payment.status = status
  payment.onBecome?.(payment)
}

// We have asked the provider about a payment.
export function hear(model: Model, payment: Payment): void {
  const { charge } = payment
  if (!charge) return
  if (charge.status === 'pending') {
    if (payment.status === 'pending') become(model, payment, 'processing', 'undecided')
  } else if (charge.status === 'failed' || charge.status === 'reversed') {
    if (isOpen(payment)) become(model, payment, 'failed', 'declined')
    else if (isCollected(payment) && !payment.isReversed) {
      payment.isReversed = true
      model.tally('reversed after success')
    }
  } else hearSuccess(model, payment, charge)
}

function hearSuccess(model: Model, payment: Payment, charge: Charge): void {
  const { paidMinor } = charge
  if (isOpen(payment)) {
    if (charge.currency !== 'NGN' || paidMinor < payment.amountMinor) {
      payment.isUnmatched = true
      become(model, payment, 'failed', charge.currency === 'NGN' ? 'underpaid' : 'other currency')
      return
    }
    const why = paidMinor > payment.amountMinor ? 'overpaid' : 'plain'
    become(model, payment, 'succeeded', why)
  } else if (!isCollected(payment) && !payment.isUnmatched && !payment.isLate) {
    payment.isLate = true
    model.tally(`success after ${payment.status}`)
  }
  if (isCollected(payment) && charge.isSettled && !payment.isSettled) {
    payment.isSettled = true
    model.tally('settled')
  }
}

export function executeRefund(model: Model, payment: Payment, refund: Refund, why: string): void {
  refund.state = 'executed'
  moveRefunded(model, payment, refund.amountMinor, why)
}

export function moveRefunded(model: Model, payment: Payment, byMinor: bigint, why: string): void {
  payment.refundedMinor += byMinor
  const { refundedMinor, amountMinor } = payment
  const isFull = refundedMinor === amountMinor
  const status = refundedMinor === 0n ? 'succeeded' : isFull ? 'refunded' : 'partially_refunded'
  model.tally(`refund × ${why}`)
  become(model, payment, status, byMinor < 0n ? 'refund failed' : 'refund')
}

// The worker has run: everything that was said, lost, due or promised is dealt with.
export function runBackground(model: Model): void {
  for (const payment of model.payments) {
    hear(model, payment)
    const openMs = payment.isRenewal ? renewalMs : sessionMs
    const isOver = model.nowMs >= payment.createdAtMs + openMs + graceMs
    if (isOpen(payment) && !payment.charge && isOver) {
      become(model, payment, 'failed', 'abandoned')
    }
    hearChargeback(model, payment)
    for (const refund of payment.refunds) resolveRefund(model, payment, refund)
  }
}

function hearChargeback(model: Model, payment: Payment): void {
  const { charge } = payment
  if (!charge || !isCollected(payment)) return
  if (charge.chargeback === 'open' && payment.chargedBackMinor === 0n) {
    // Of what was paid beyond the amount the merchant has nothing to give.
    const { amountMinor } = payment
    payment.chargedBackMinor = charge.paidMinor < amountMinor ? charge.paidMinor : amountMinor
    model.tally('charged back')
  }
  if (charge.chargeback === 'won' && payment.chargedBackMinor > 0n) {
    payment.chargedBackMinor = 0n
    model.tally('chargeback won')
  }
}

// Before that, a look-up that finds nothing proves nothing.
const absentMs = 10 * minuteMs
const dayMs = 24 * 60 * minuteMs

function resolveRefund(model: Model, payment: Payment, refund: Refund): void {
  const isTaken = payment.charge?.status !== 'successful'
  if (refund.state === 'lost_after') executeRefund(model, payment, refund, 'answer lost')
  if (refund.state === 'lost_before') lookUp(model, refund)
  if (refund.state === 'appeared') executeRefund(model, payment, refund, 'found late')
  if (refund.state === 'waiting') {
    if (payment.chargedBackMinor > 0n && remainingMinor(payment) < refund.amountMinor) {
      // The payer has the money already, so it is not sent.
      refund.state = 'failed'
      model.tally('refund × charged back meanwhile')
    } else if (isTaken) {
      refund.state = 'failed'
      model.tally('refund × refused, charge was reversed')
    } else executeRefund(model, payment, refund, 'approved')
  }
  if (refund.state === 'failing') {
    refund.state = 'reversed'
    moveRefunded(model, payment, -refund.amountMinor, 'failed after acceptance')
  }
}

// No one sends it again: it fails when the provider has not had it for a day.
function lookUp(model: Model, refund: Refund): void {
  if (model.nowMs < refund.askedAtMs + absentMs) return
  refund.absentAtMs ??= model.nowMs
  if (model.nowMs < refund.absentAtMs + dayMs) return
  refund.state = 'given_up'
  model.tally('refund × given up')
}
