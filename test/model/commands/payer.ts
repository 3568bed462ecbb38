// The payer's actions on the provider's page and on ours, with a misbehaving provider.
import { expect } from 'vitest'
import { comeBack } from '../../support/payments.ts'
import { defineCommand, nothing, pick, type Subject } from '../command.ts'
import { become, type Charge, canBePaid, hear, isOpen, type Model, newCharge } from '../model.ts'

const excessMinor = 15_000n

// How the provider misbehaves, and what it then has of the charge.
const faults: Readonly<Record<string, { rules: readonly object[]; charge: Partial<Charge> }>> = {
  none: { rules: [], charge: {} },
  'webhook withheld': { rules: [{ operation: 'webhook', effect: 'withhold' }], charge: {} },
  'webhook twice': { rules: [{ operation: 'webhook', effect: 'duplicate' }], charge: {} },
  'webhook lies': { rules: [{ operation: 'webhook', effect: 'contradict' }], charge: {} },
  'settles later': {
    rules: [{ operation: 'charge', effect: 'settle_later' }],
    charge: { isSettled: false },
  },
  'stays pending': {
    rules: [{ operation: 'charge', effect: 'succeed_after_timeout' }],
    charge: { status: 'pending' },
  },
  'succeeds after a decline': {
    rules: [{ operation: 'charge', effect: 'succeed_after_decline' }],
    charge: { status: 'failed' },
  },
  overpays: { rules: [{ operation: 'charge', effect: 'overpay', difference: '150' }], charge: {} },
  underpays: { rules: [{ operation: 'charge', effect: 'underpay', difference: '1' }], charge: {} },
  'other currency': {
    rules: [{ operation: 'charge', effect: 'other_currency', currency: 'KES' }],
    charge: { currency: 'KES' },
  },
}

const payable = (model: Model, nth: number) =>
  pick(model.payments, nth, (payment) => canBePaid(model, payment))

const pay = defineCommand(
  'pay by card',
  Object.keys(faults),
  payable,
  async (model, real, payment, name) => {
    const { rules = [], charge = {} } = faults[name] ?? {}
    await real.under(rules, async () => {
      await real.world.simulator.pay(real.tenant, payment.reference)
      await real.world.simulator.drain()
    })
    const differenceMinor = { overpays: excessMinor, underpays: -100n }[name] ?? 0n
    payment.charge = newCharge(payment.amountMinor + differenceMinor, charge)
    model.tally(`pay × ${name}`)
    model.tally(`pay × ${payment.status} payment`)
  },
)

const decline = defineCommand(
  'pay by a card that is declined',
  ['insufficient_funds', 'incorrect_pin'],
  payable,
  async (_model, real, payment, card) => {
    await real.world.simulator.pay(real.tenant, payment.reference, card)
    payment.charge = newCharge(payment.amountMinor, { status: 'failed', isSettled: false })
  },
)

// Mostly someone whose payment we have not heard of.
const back = defineCommand(
  'come back',
  nothing,
  (model, nth) =>
    pick(model.payments, nth, (payment) => isOpen(payment) && payment.charge !== undefined) ??
    pick(model.payments, nth, () => nth % 4 === 0),
  async (model, real, payment) => {
    const answer = await comeBack(real.world, payment.reference)
    expect(answer.status).toBe(200)
    hear(model, payment)
  },
)

const turnBack = defineCommand(
  'turn back on the provider’s page',
  nothing,
  payable,
  async (model, real, payment) => {
    await real.control('/cancel', { tx_ref: payment.reference })
    await comeBack(real.world, payment.reference, '?status=cancelled')
    // The provider's session is over, so nothing can come of it any more.
    payment.charge = newCharge(0n, { status: 'failed', isSettled: false })
    if (isOpen(payment)) become(model, payment, 'failed', 'turned back')
  },
)

const outage = defineCommand(
  'come back while the provider is out',
  ['refuse', 'drop', 'unreadable'],
  (model, nth) => pick(model.payments, nth),
  async (model, real, payment, effect) => {
    await real.under([{ operation: '*', effect }], async () => {
      expect((await comeBack(real.world, payment.reference)).status).toBe(200)
    })
    model.tally(`look × ${effect}`)
  },
)

export const payer: Subject = {
  openings: [
    [
      ...['create code (amountMinor 500000, singleUse true)', 'press Pay', 'press Pay'],
      ...['cancel', 'cancel', 'pay by card (none)', 'run the worker'],
      ...['press Pay', 'pay by card (none)', 'come back', 'press Pay'],
    ],
  ],
  commands: [pay, pay, pay, pay, pay, pay, decline, back, back, turnBack, outage],
  reached: [
    ...Object.keys(faults).map((name) => `pay × ${name}`),
    'pay × cancelled payment',
    'pending → succeeded × plain',
    'pending → succeeded × overpaid',
    'pending → failed × underpaid',
    'pending → failed × other currency',
    'pending → failed × declined',
    'pending → failed × turned back',
    'pending → processing × undecided',
    'success after cancelled',
    'look × refuse',
    'look × drop',
    'look × unreadable',
  ],
}
