// Payouts: by a call with a key, by calls that are not repeated, with an approval, to the wallet,
// and reversed. Counts how often the provider sent money.
import { expect } from 'vitest'
import type { Payout } from '../../src/merchant/payouts/payout.ts'
import { listPayouts } from '../../src/merchant/payouts/payout-store.ts'
import { eventsOf } from '../support/payments.ts'
import { type Payer, payer } from '../support/payouts.ts'
import { withholdWebhooks } from './charge-operations.ts'
import type { Lane } from './lane.ts'
import { type Approver, approver, approveWaiting } from './refund-operations.ts'
import { type Operation, operation } from './sweep.ts'

const withKey = { headers: { 'idempotency-key': 'order-17' } }
const toWallet = { destinationType: 'service_account' }

export const payoutOperations: readonly Operation[] = [
  operation({
    name: 'a merchant pays out, and asks again with the same key when cut off',
    setUp: (lane) => payer(lane.world),
    async run(_lane, one) {
      expect((await one.payOut({}, withKey)).status).toBe(200)
    },
    async again(_lane, one) {
      expect((await one.payOut({}, withKey)).status).toBe(200)
    },
    end: expectCompleted,
    effects: oneTransfer,
  }),
  operation({
    name: 'a merchant pays out into the wallet, and asks again with the same key',
    setUp: (lane) => payer(lane.world),
    async run(_lane, one) {
      expect((await one.payOut(toWallet, withKey)).body.status).toBe('completed')
    },
    async again(_lane, one) {
      expect((await one.payOut(toWallet, withKey)).body.status).toBe('completed')
    },
    end: expectCompleted,
    effects: noTransfer,
  }),
  operation({
    name: 'the answer to a payout is lost, and no one asks again',
    setUp: (lane) => misled(lane, 'drop_after'),
    run: payOutAndWait,
    again: payOutUnlessThere,
    end: expectCompleted,
    effects: oneTransfer,
  }),
  operation({
    name: 'a payout does not get through, and no one asks again',
    setUp: (lane) => misled(lane, 'drop'),
    run: payOutAndWait,
    again: payOutUnlessThere,
    end: expectCompleted,
    effects: oneTransfer,
  }),
  operation<Payer & Approver>({
    name: 'a payout waits for a second person',
    setUp: held,
    run: askAndApprove,
    async again(lane, subject) {
      // A code is taken once.
      await lane.pass(60)
      await askAndApprove(lane, subject)
    },
    end: expectCompleted,
    effects: oneTransfer,
  }),
  operation({
    name: 'a held payout is cancelled',
    setUp: held,
    run: askAndCancel,
    again: askAndCancel,
    async end(lane, one) {
      expect(await payouts(lane, one)).toMatchObject([{ status: 'cancelled' }])
      expect(await eventsOf(lane.world, one.tenant)).toEqual([])
    },
    effects: noTransfer,
  }),
]

async function misled(lane: Lane, effect: string): Promise<Payer> {
  await withholdWebhooks(lane)
  const one = await payer(lane.world)
  const rule = { operation: 'POST /transfers', effect, count: 1 }
  await lane.world.simulator.rule(one.tenant, rule)
  return one
}

async function held(lane: Lane): Promise<Payer & Approver> {
  const one = await payer(lane.world, { thresholdMinor: 0n })
  return { ...one, ...(await approver(lane, one)) }
}

async function payOutAndWait(_lane: Lane, one: Payer): Promise<void> {
  expect((await one.payOut()).body.status).toBe('processing')
}

// Without a key a caller who was cut off looks first.
async function payOutUnlessThere(lane: Lane, one: Payer): Promise<void> {
  if ((await payouts(lane, one)).length === 0) await payOutAndWait(lane, one)
}

async function askAndApprove(lane: Lane, one: Payer & Approver): Promise<void> {
  if ((await payouts(lane, one)).length === 0) expect((await one.payOut()).status).toBe(202)
  await approveWaiting(lane, one)
}

async function askAndCancel(lane: Lane, one: Payer): Promise<void> {
  if ((await payouts(lane, one)).length === 0) expect((await one.payOut()).status).toBe(202)
  const [payout] = await payouts(lane, one)
  const path = `/merchant/api/v1/payouts/${payout?.id}/cancel`
  expect((await lane.world.call('POST', path, { key: one.key })).status).toBe(200)
}

async function payouts({ world }: Lane, { tenant }: Payer): Promise<Payout[]> {
  return listPayouts(world.database.sql, tenant, 10)
}

async function expectCompleted(lane: Lane, one: Payer): Promise<void> {
  expect(await payouts(lane, one)).toMatchObject([{ status: 'completed', contradictedAt: null }])
  const events = await eventsOf(lane.world, one.tenant)
  expect(events.map(({ type }) => type)).toEqual(['payout.completed'])
}

async function oneTransfer(lane: Lane, one: Payer) {
  const [payout] = await payouts(lane, one)
  const reference = payout?.providerReference ?? ''
  return { tenant: one.tenant, reference, counts: { transfer: 1 } }
}

function noTransfer(_lane: Lane, { tenant }: Payer) {
  return { tenant, reference: 'none', counts: {} }
}
