// Payouts with a key, to the wallet and to the bank, with a misbehaving provider. Actions of others
// are in payout-endings.ts.
import { expect } from 'vitest'
import { defineCommand, pick, type Subject } from '../command.ts'
import { isPaused, type Model } from '../model.ts'
import {
  balancesOf,
  becomePayout,
  type Payout,
  payoutThresholdMinor,
  type Transfer,
} from '../money-out.ts'
import type { Real } from '../real.ts'

const send = 'POST /transfers'
const successful = { status: 'successful', isTold: true } as const
type Fault = { rules: readonly object[]; transfer: Transfer | undefined; isRefused?: boolean }

// How the provider misbehaves when a payout is sent, and what it then has of it.
const faults: Readonly<Record<string, Fault>> = {
  none: { rules: [], transfer: successful },
  'lost before': { rules: [{ operation: send, effect: 'drop' }], transfer: undefined },
  'lost after': { rules: [{ operation: send, effect: 'drop_after' }], transfer: successful },
  refused: {
    rules: [{ operation: send, effect: 'refuse', status: 400 }],
    transfer: undefined,
    isRefused: true,
  },
  'refused and sent': {
    rules: [{ operation: send, effect: 'refuse_after', status: 400 }],
    transfer: successful,
    isRefused: true,
  },
  fails: {
    rules: [{ operation: 'transfer', effect: 'fail' }],
    transfer: { status: 'failed', isTold: true },
  },
  'stays pending': {
    rules: [{ operation: 'transfer', effect: 'stay_pending' }],
    transfer: { status: 'pending', isTold: false },
  },
  'webhook withheld': {
    rules: [{ operation: 'webhook', effect: 'withhold' }],
    transfer: { status: 'successful', isTold: false },
  },
  'webhook lies': { rules: [{ operation: 'webhook', effect: 'contradict' }], transfer: successful },
}

const sizes = { small: 40_000n, large: 120_000n, 'too much': 90_000_000n } as const
type Variant = { to: Payout['to']; size: keyof typeof sizes; fault: string }

const variants: readonly Variant[] = [
  ...Object.keys(faults).map((fault) => ({ to: 'bank', size: 'small', fault }) as const),
  { to: 'wallet', size: 'small', fault: 'none' },
  { to: 'wallet', size: 'large', fault: 'none' },
  { to: 'bank', size: 'large', fault: 'none' },
  { to: 'bank', size: 'too much', fault: 'none' },
]

const payOut = defineCommand(
  'pay out',
  variants,
  (model) => (model.payouts.length < 14 ? model : undefined),
  async (model, real, _, { to, size, fault }) => {
    const amountMinor = sizes[size]
    const { rules = [], transfer, isRefused } = faults[fault] ?? {}
    const key = `payout-${model.payouts.length}`
    const answer = await real.under(rules, async () => {
      const answered = await ask(real, key, { to, amountMinor })
      await real.world.simulator.drain()
      return answered
    })
    const isHeld = amountMinor > payoutThresholdMinor
    const expected = expectedAnswer(model, { amountMinor, isHeld, isRefused })
    expect(answer.status, `${to} ${size} ${fault}`).toBe(expected)
    model.tally(`pay out × answer ${expected}`)
    if (expected === 400 || expected === 503) return
    const isSent = !isHeld && to === 'bank'
    const payout: Payout = {
      id: await newPayoutId(model, real),
      key,
      to,
      amountMinor,
      approvalId: answer.body.approvalId,
      status: isHeld ? 'pending' : to === 'wallet' ? 'completed' : 'processing',
      transfer: isSent && transfer ? { ...transfer } : undefined,
      sentAtMs: isSent ? model.nowMs : undefined,
      isContradicted: false,
    }
    if (isRefused) becomePayout(model, payout, 'failed', 'refused')
    else if (!isHeld) expect(answer.body.status).toBe(payout.status)
    model.payouts.push(payout)
    model.tally(`pay out × ${fault}`)
  },
)

function expectedAnswer(
  model: Model,
  asked: { amountMinor: bigint; isHeld: boolean; isRefused: boolean | undefined },
): number {
  if (isPaused(model, 'payouts')) return 503
  if (balancesOf(model).available < asked.amountMinor) return 400
  if (asked.isHeld) return 202
  return asked.isRefused ? 502 : 200
}

function ask(real: Real, key: string, { to, amountMinor }: Pick<Payout, 'to' | 'amountMinor'>) {
  return real.call('POST', '/payouts', {
    headers: { 'idempotency-key': key },
    body: {
      amount: Number(amountMinor) / 100,
      currency: 'NGN',
      destinationType: to === 'wallet' ? 'service_account' : 'provider_bank',
    },
  })
}

async function newPayoutId(model: Model, real: Real): Promise<string> {
  const known = new Set(model.payouts.map(({ id }) => id))
  const { body } = await real.call('GET', '/payouts')
  const made = body.data.filter(({ id }: { id: string }) => !known.has(id))
  expect(made).toHaveLength(1)
  return made[0].id
}

const repeat = defineCommand(
  'repeat payout',
  [false, true],
  (model, nth) => pick(model.payouts, nth),
  async (model, real, payout, isOther) => {
    const { key, to, amountMinor, id: payoutId, status } = payout
    const answer = await ask(real, key, { to, amountMinor: isOther ? 70_000n : amountMinor })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ payoutId, status, idempotentReplay: true })
    if (isPaused(model, 'payouts')) model.tally('repeat payout × paused')
    model.tally(`repeat payout × ${status}`)
  },
)

const cancel = defineCommand(
  'cancel payout',
  ['pending', 'processing', 'completed', 'cancelled'],
  (model, nth, status) => pick(model.payouts, nth, (payout) => payout.status === status),
  async (model, real, payout) => {
    const { status, id } = payout
    const answer = await real.call('POST', `/payouts/${id}/cancel`)
    model.tally(`cancel payout × ${status}`)
    if (status === 'pending') becomePayout(model, payout, 'cancelled', 'cancel')
    expect(answer.status).toBe(payout.status === 'cancelled' ? 200 : 400)
  },
)

const bank = (size: string, fault = 'none') => `pay out (to bank, size ${size}, fault ${fault})`
const hold = bank('large')

export const payouts: Subject = {
  openings: [
    [
      // Four wait for approval; then a refund takes what they were promised.
      ...['create link (amountMinor 200000, isKeyed true)', 'press Pay', 'pay by card (none)'],
      ...['come back', hold, 'repeat payout (true)', hold, hold, hold, hold],
      ...['refund (size rest, fault none)'],
      ...['approve payout', 'reject payout', 'cancel payout (pending)', 'approve payout'],
      ...['cancel payout (cancelled)', 'run the worker', 'run the worker'],
    ],
    [
      ...[bank('small', 'lost before'), bank('small', 'webhook withheld'), 'run the worker'],
      ...['advance the clock (15)', 'run the worker', 'run the worker'],
      ...['the bank returns a transfer', bank('small', 'refused and sent'), 'run the worker'],
      ...[bank('small', 'stays pending'), 'cancel payout (processing)'],
      ...['pay out (to wallet, size small, fault none)', 'cancel payout (completed)'],
      ...['take back from the wallet (part)', 'take back from the wallet (too much)'],
      ...['pay out (to wallet, size large, fault none)', 'approve payout'],
    ],
  ],
  commands: [payOut, payOut, payOut, payOut, payOut, repeat, cancel],
  reached: [
    ...Object.keys(faults).map((name) => `pay out × ${name}`),
    ...['200', '202', '400', '502'].map((status) => `pay out × answer ${status}`),
    'payout processing → completed × told',
    'payout processing → completed × looked up',
    'payout processing → failed × told',
    'payout processing → failed × refused',
    'payout pending → cancelled × cancel',
    'payout × sent again',
    'payout × successful after failed',
    'cancel payout × pending',
    'cancel payout × processing',
    'cancel payout × completed',
    'cancel payout × cancelled',
    'repeat payout × pending',
    'repeat payout × processing',
    'repeat payout × completed',
  ],
}
