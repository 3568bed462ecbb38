// The part of the model about money that leaves: payouts as a merchant sees them, what really
// happened at the provider, and the remaining balance.
import { pick } from './command.ts'
import { inFlight, isCollected, isPaused, type Model, minuteMs } from './model.ts'
import { netMinorOf } from './recipients.ts'

// What the provider has of a payout. `isTold`: its message about the end has come, or will before
// anybody looks.
export type Transfer = { status: 'pending' | 'successful' | 'failed'; isTold: boolean }

export type PayoutStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled'

export type Payout = {
  readonly id: string
  readonly key: string
  readonly to: 'wallet' | 'bank'
  readonly amountMinor: bigint
  readonly approvalId: string | undefined
  status: PayoutStatus
  transfer: Transfer | undefined
  // When it was sent last, as far as we know; undefined while no one has.
  sentAtMs: number | undefined
  // The provider said the opposite of what it had said.
  isContradicted: boolean
}

// What the shop has before the first payer comes.
export const openingMinor = 300_000n
// Above this a payout waits for a second person.
export const payoutThresholdMinor = 100_000n
// Longer than the resolver waits before it sends again.
const resendMs = 10 * minuteMs

export type Balances = { pending: bigint; available: bigint; reserved: bigint; wallet: bigint }

// What the merchant is shown.
export function balancesOf(model: Model): Balances {
  const { pending, available } = owedMinor(model)
  const { returnedMinor } = model
  const paidTo = (to: Payout['to']) =>
    sum(model, (one) => one.to === to && one.status === 'completed' && !one.isContradicted)
  const promised = sum(model, ({ status }) => status === 'pending' || status === 'processing')
  const reserved = promised + refundsOnTheirWayMinor(model)
  const wallet = paidTo('wallet') - returnedMinor
  return {
    pending,
    available: openingMinor + available - reserved - paidTo('bank') - wallet,
    reserved,
    wallet,
  }
}

// What charges brought and refunds and chargebacks took.
function owedMinor(model: Model): { pending: bigint; available: bigint } {
  let pending = 0n
  let available = 0n
  for (const payment of model.payments.filter(isCollected)) {
    const netMinor = netMinorOf(payment) - payment.splitMinor
    if (payment.isReversed) pending += 0n
    else if (payment.isSettled) available += netMinor
    else pending += netMinor
    available -= payment.refundedMinor + payment.chargedBackMinor
  }
  return { pending, available }
}

// Promised to payers, and not yet taken from the balance.
function refundsOnTheirWayMinor({ payments }: Model): bigint {
  return payments.reduce((total, payment) => total + (inFlight(payment)?.amountMinor ?? 0n), 0n)
}

function sum({ payouts }: Model, counts: (payout: Payout) => boolean): bigint {
  return payouts.filter(counts).reduce((total, { amountMinor }) => total + amountMinor, 0n)
}

export function becomePayout(model: Model, payout: Payout, status: PayoutStatus, why: string) {
  model.tally(`payout ${payout.status} → ${status} × ${why}`)
  payout.status = status
}

export function pickHeld({ payouts }: Model, nth: number): Payout | undefined {
  return pick(payouts, nth, ({ status }) => status === 'pending')
}

// The worker has run: reported changes are applied, and unsent payouts are sent.
export function runPayouts(model: Model): void {
  for (const payout of model.payouts.filter(({ to }) => to === 'bank')) {
    const { transfer, sentAtMs, status } = payout
    if (transfer) {
      const isDue = sentAtMs !== undefined && model.nowMs > sentAtMs
      if (transfer.isTold || isDue) hearTransfer(model, payout, transfer)
    } else if (status === 'processing') {
      if (sentAtMs !== undefined && model.nowMs < sentAtMs + resendMs) continue
      model.tally(sentAtMs === undefined ? 'payout × sent after approval' : 'payout × sent again')
      payout.transfer = { status: 'successful', isTold: true }
      payout.sentAtMs = model.nowMs
    }
  }
}

function hearTransfer(model: Model, payout: Payout, transfer: Transfer): void {
  if (transfer.status === 'pending') return
  if (payout.status === 'processing') {
    const status = transfer.status === 'successful' ? 'completed' : 'failed'
    if (isPaused(model, 'payouts')) model.tally('payout × ended during a pause')
    const why = transfer.isTold ? 'told' : 'looked up'
    becomePayout(model, payout, status, why)
  } else if ((payout.status === 'completed') !== (transfer.status === 'successful')) {
    if (!payout.isContradicted) model.tally(`payout × ${transfer.status} after ${payout.status}`)
    payout.isContradicted = true
  }
}
