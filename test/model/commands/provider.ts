// What the provider does by itself, later.
import { defineCommand, nothing, pick, type Subject } from '../command.ts'
import { isCollected, type Payment } from '../model.ts'
import type { Real } from '../real.ts'

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

export const provider: Subject = {
  openings: [
    [
      ...['create link (amountMinor 500000, isKeyed false)', 'press Pay'],
      ...['pay by card (settles later)', 'come back', 'charge back', 'run the worker'],
      ...['win a chargeback', 'settle later', 'run the worker'],
      ...['reverse after success', 'run the worker'],
    ],
  ],
  commands: [settle, decideCharge, reverse, chargeBack, winChargeback, winChargeback],
  reached: [
    'settled',
    'processing → succeeded × plain',
    'reversed after success',
    'charged back',
    'chargeback won',
  ],
}
