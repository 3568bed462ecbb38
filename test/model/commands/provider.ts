// Later actions of the provider.
import { findPayment } from '../../../src/merchant/payments/payment-store.ts'
import { refundByHand } from '../../merchant/refunds/paid-payment.ts'
import { defineCommand, nothing, pick, type Subject } from '../command.ts'
import { inFlight, isCollected, type Payment, remainingMinor } from '../model.ts'
import type { Real } from '../real.ts'
import { work } from './time.ts'

const proceed = (real: Real, subject: string, { reference }: Payment) =>
  real.control('/proceed', { subject, reference })
const act = (real: Real, step: string, { reference }: Payment) =>
  real.control('/act', { subject: 'charge', reference, step })

const settle = defineCommand(
  'settle later',
  nothing,
  (model, nth) => pick(model.payments, nth, isUnsettled),
  async (_model, real, payment) => {
    await proceed(real, 'charge', payment)
    if (payment.charge) payment.charge.isSettled = true
  },
)

function isUnsettled({ charge }: Payment): boolean {
  return charge?.status === 'successful' && !charge.isSettled
}

export const decideCharge = defineCommand(
  'decide a pending charge',
  nothing,
  (model, nth) =>
    pick(model.payments, nth, ({ charge }) => nth % 2 === 0 && charge?.status === 'pending'),
  async (_model, real, payment) => {
    await proceed(real, 'charge', payment)
    Object.assign(payment.charge ?? {}, { status: 'successful', isSettled: true })
  },
)

// A charge that was taken, of a payment of which we know.
const isTaken = (payment: Payment) =>
  isCollected(payment) && payment.charge?.status === 'successful' && !payment.isReversed

const reverse = defineCommand(
  'reverse after success',
  nothing,
  (model, nth) => pick(model.payments, nth, (payment) => nth % 4 === 0 && isTaken(payment)),
  async (_model, real, payment) => {
    await act(real, 'reverse', payment)
    if (payment.charge) payment.charge.status = 'reversed'
  },
)

const chargeBack = defineCommand(
  'charge back',
  nothing,
  (model, nth) =>
    pick(
      model.payments,
      nth,
      (one) => nth % 3 === 0 && isTaken(one) && one.charge?.chargeback === 'none',
    ),
  async (_model, real, payment) => {
    await act(real, 'charge_back', payment)
    if (payment.charge) payment.charge.chargeback = 'open'
  },
)

const winChargeback = defineCommand(
  'win a chargeback',
  nothing,
  (model, nth) => pick(model.payments, nth, (one) => isTaken(one) && one.chargedBackMinor > 0n),
  async (_model, real, payment) => {
    await act(real, 'win_chargeback', payment)
    if (payment.charge) payment.charge.chargeback = 'won'
  },
)

// As one that the provider's list did not show for days.
const appear = defineCommand(
  'a refund that was given up appears',
  nothing,
  (model, nth) =>
    pick(
      model.payments,
      nth,
      (one) => isTaken(one) && one.charge?.chargeback === 'none' && findLate(one) !== undefined,
    ),
  async (model, real, payment) => {
    const late = findLate(payment)
    if (!late) return
    const { world, tenant } = real
    const stored = await findPayment(world.database.sql, tenant, payment.id)
    if (!stored) throw new Error('a payment vanished')
    await refundByHand(world, tenant, stored, late.amountMinor)
    late.state = 'appeared'
    // Before another refund is in flight, which would have to end first.
    await work(model, real)
  },
)

function findLate(payment: Payment) {
  return payment.refunds.find(
    ({ state, amountMinor }) =>
      state === 'given_up' && !inFlight(payment) && amountMinor <= remainingMinor(payment),
  )
}

export const provider: Subject = {
  openings: [
    [
      ...['create link (amountMinor 500000, isKeyed false)', 'press Pay'],
      ...['pay by card (settles later)', 'come back', 'charge back', 'run the worker'],
      ...['win a chargeback', 'settle later', 'run the worker'],
      ...['reverse after success', 'run the worker'],
    ],
    [
      ...['create link (amountMinor 500000, isKeyed false)', 'press Pay'],
      ...['pay by card (none)', 'come back', 'refund (size part, fault lost before)'],
      ...['advance the clock (15)', 'run the worker', 'advance the clock (1500)'],
      ...['run the worker', 'refund (size part, fault none)'],
      'a refund that was given up appears',
    ],
  ],
  commands: [settle, decideCharge, reverse, chargeBack, winChargeback, winChargeback, appear],
  reached: [
    'settled',
    'processing → succeeded × plain',
    'reversed after success',
    'charged back',
    'chargeback won',
  ],
}
