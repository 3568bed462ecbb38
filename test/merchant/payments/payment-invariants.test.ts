// Each invariant of payments, refunds, chargebacks and wallets detects its violation. Every case
// damages the data as a bug would, checks which invariants report it, and repairs the damage.
import { expect, it } from 'vitest'
import { jobs } from '../../../src/app/background-work.ts'
import { createWorker } from '../../../src/kernel/jobs/worker.ts'
import { post } from '../../../src/kernel/ledger/ledger.ts'
import { posting } from '../../../src/kernel/ledger/posting.ts'
import { brokenInvariants, expectInvariants } from '../../support/invariants.ts'
import {
  type Begun,
  comeBack,
  newCode,
  paidPayment,
  payment,
  shop,
  storedPayment,
} from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'
import { putThreshold } from '../refunds/paid-payment.ts'

const world = useWorld()
const sql = () => world().database.sql

async function runJobs(): Promise<void> {
  await createWorker({ context: world().context, jobs, schedules: [], slots: 4 }).drain()
}

const paid = () => paidPayment(world())

async function refunded(): Promise<Begun> {
  const begun = await paid()
  await putThreshold(world(), begun.tenant, 'NGN', 100_000_000n)
  const funds = { amount: 10_000, currency: 'NGN' }
  await world().simulator.control(begun.tenant, 'POST', '/fund', funds)
  const path = `/merchant/api/v1/payments/${begun.id}/refund`
  const { status } = await world().call('POST', path, { key: begun.key, body: { amount: 50_000 } })
  expect(status).toBe(200)
  return begun
}

async function chargedBack(): Promise<Begun> {
  const begun = await paid()
  await runJobs()
  const by = { subject: 'charge', reference: begun.reference, step: 'charge_back' }
  await world().simulator.control(begun.tenant, 'POST', '/act', by)
  await world().simulator.drain()
  await runJobs()
  return begun
}

async function underpaid(): Promise<Begun> {
  const begun = await payment(world())
  const rule = { operation: 'charge', effect: 'underpay', difference: '0.5' }
  await world().simulator.rule(begun.tenant, rule)
  await world().simulator.pay(begun.tenant, begun.reference)
  await comeBack(world(), begun.reference)
  return begun
}

async function usedCode(): Promise<Begun> {
  const owner = await shop(world())
  return paidPayment(world(), owner, await newCode(world(), owner, { singleUse: true }))
}

const setPayment = (changes: object) => (one: Begun) =>
  sql()`
  update merchant.payments
  set ${sql()({ ...changes })}
  where id = ${one.id}`

const setEvent = (changes: object) => (one: Begun) =>
  sql()`
  update kernel.events
  set ${sql()({ ...changes })}
  where business_id = ${one.tenant.businessId}`

const setCode = (changes: object) => (one: Begun) =>
  sql()`
  update merchant.qr_codes
  set ${sql()({ ...changes })}
  where business_id = ${one.tenant.businessId}`

// Takes what is not there out of the wallet, or puts it back.
const moveWallet = (amountMinor: bigint) => (one: Begun) =>
  world().database.transaction((tx) =>
    post(
      tx,
      world().context,
      one.tenant,
      posting({
        kind: 'wallet.returned',
        sourceId: world().context.ids.uuid(),
        lines: [
          { account: 'merchant:wallet', currency: 'NGN', amountMinor },
          { account: 'merchant:available', currency: 'NGN', amountMinor: -amountMinor },
        ],
      }),
    ),
  )

// The second guard, which a distributed database does not have.
async function withoutGuard(change: () => Promise<unknown>): Promise<void> {
  await sql()`alter table merchant.payments disable trigger payments_follow_their_life`
  try {
    await change()
  } finally {
    await sql()`alter table merchant.payments enable trigger payments_follow_their_life`
  }
}

type Change = (one: Begun) => PromiseLike<unknown>
type Damage = readonly [string, readonly string[], () => Promise<Begun>, Change, Change]

const stranger = '01900000-0000-7000-8000-000000000001'

const damages: readonly Damage[] = [
  [
    'a refunded amount that no refund explains',
    ['I2.1', 'I11.3'],
    refunded,
    setPayment({ refundedMinor: 50_001n }),
    setPayment({ refundedMinor: 50_000n }),
  ],
  [
    'a refund that was not executed and is counted',
    ['I2.1', 'I2.2', 'I7.2'],
    refunded,
    (one) => sql()`update merchant.refunds set status = 'failed' where payment_id = ${one.id}`,
    (one) => sql()`update merchant.refunds set status = 'settled' where payment_id = ${one.id}`,
  ],
  [
    'a chargeback that was won and is not given back',
    ['I2.3'],
    chargedBack,
    (one) => sql()`
      update merchant.chargebacks
      set status = 'won'
      where payment_id = ${one.id}`,
    (one) => sql()`
      update merchant.chargebacks
      set status = 'open'
      where payment_id = ${one.id}`,
  ],
  ['a wallet below nothing', ['I4.3'], paid, moveWallet(1n), moveWallet(-1n)],
  [
    'a single-use code that was paid and can be paid again',
    ['I6.1'],
    usedCode,
    setCode({ state: 'active' }),
    setCode({ state: 'used' }),
  ],
  [
    'a payment that was collected and is called cancelled',
    ['I6.5'],
    paid,
    (one) => withoutGuard(() => setPayment({ status: 'cancelled' })(one)),
    (one) => withoutGuard(() => setPayment({ status: 'succeeded' })(one)),
  ],
  [
    'a payment of which something else was told',
    ['I7.1'],
    paid,
    setEvent({ type: 'payment.failed' }),
    setEvent({ type: 'payment.succeeded' }),
  ],
  [
    'an event of a payment that there is not',
    ['I7.1', 'I8.2'],
    paid,
    setEvent({ objectId: stranger }),
    (one) => setEvent({ objectId: one.id })(one),
  ],
  [
    'a settlement that settled nothing',
    ['I11.2', 'I11.3'],
    paid,
    setPayment({ settledAt: null }),
    setPayment({ settledAt: new Date('2026-01-31') }),
  ],
  [
    'an unwanted charge of another amount than was booked',
    ['I11.4'],
    underpaid,
    (one) => sql()`
      update merchant.unmatched_charges
      set amount_minor = amount_minor + 1
      where payment_id = ${one.id}`,
    (one) => sql()`
      update merchant.unmatched_charges
      set amount_minor = amount_minor - 1
      where payment_id = ${one.id}`,
  ],
]

it.each(damages)('%s is found', async (_name, ids, make, damage, repair) => {
  const one = await make()
  await expectInvariants(world().database)
  const before = await storedPayment(world(), one)
  await damage(one)
  const found = await brokenInvariants(world().database)
  await repair(one)
  expect(found).toEqual([...ids])
  expect({ ...(await storedPayment(world(), one)), settledAt: before.settledAt }).toEqual(before)
  await expectInvariants(world().database)
})
