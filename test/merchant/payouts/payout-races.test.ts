// Concurrent calls on the same balance, key or payout. If either of two can win, each order has its
// own test: a lock that the test holds decides who is first.
import { describe, expect, it } from 'vitest'
import { foldLedger } from '../../../src/kernel/ledger/fold-ledgers.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { approveApproval } from '../../../src/merchant/approvals/approve-approval.ts'
import { lockPayout } from '../../../src/merchant/payouts/payout-store.ts'
import { resolvePayoutsSchedule } from '../../../src/merchant/payouts/resolve-payouts.ts'
import { untilBlocked } from '../../support/database.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { balancesOf } from '../../support/payments.ts'
import { member, type Payer, payer, payoutState } from '../../support/payouts.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const { signal } = new AbortController()

const atOnce = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

const cancel = (one: Payer, id: string) =>
  world().call('POST', `/merchant/api/v1/payouts/${id}/cancel`, { key: one.key })

describe('a balance that covers three', () => {
  // covers: 400 for a sandbox key
  it.each(['provider_bank', 'service_account'])(
    'gives three of a hundred payouts at once to %s',
    async (destinationType) => {
      const one = await payer(world(), { availableMinor: 399_999n })
      const folding = atOnce(20, () => foldLedger(world().context, one.tenant))
      const answers = await atOnce(100, () => one.payOut({ amount: 1000, destinationType }))
      await folding
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(3)
      expect(statuses.filter((status) => status === 400)).toHaveLength(97)
      await expectInvariants(world().database)
    },
  )

  it('holds three of a hundred when each needs a second person', async () => {
    const one = await payer(world(), { availableMinor: 300_000n, thresholdMinor: null })
    const answers = await atOnce(100, () => one.payOut({ amount: 1000 }))
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(3)
  })

  it('is never promised twice while payouts are confirmed, cancelled and asked for', async () => {
    const one = await payer(world(), { availableMinor: 300_000n, thresholdMinor: 100_000n })
    for (let round = 0; round < 4; round += 1) {
      const asking = atOnce(12, (index) =>
        one.payOut({
          amount: index % 3 === 0 ? 1000.01 : 500,
          destinationType: index % 2 === 0 ? 'service_account' : 'provider_bank',
        }),
      )
      await world().simulator.drain()
      const answers = await asking
      const held = answers.filter(({ status }) => status === 202)
      await Promise.all(held.map(({ body }) => cancel(one, body.payoutId)))
      await world().database.sql`
        update merchant.payouts
        set next_look_at = created_at
        where status = 'processing'`
      await atOnce(3, () => resolvePayoutsSchedule.run(world().context, signal))
      await expectInvariants(world().database)
    }
    const { 'merchant:available NGN': left = 0n } = await balancesOf(world(), one.tenant)
    // What is owed to the merchant is negative: never less than nothing.
    expect(left).toBeLessThanOrEqual(0n)
  })
})

describe('one Idempotency-Key', () => {
  // covers: balance debited once
  it('makes one payout of fifty calls at once, and all of them name it', async () => {
    const one = await payer(world())
    const headers = { 'idempotency-key': 'order-17' }
    const answers = await atOnce(50, (index) => one.payOut({ amount: 1000 + index }, { headers }))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const ids = new Set(answers.map(({ body }) => body.payoutId))
    expect(ids.size).toBe(1)
    expect(answers.filter(({ body }) => body.idempotentReplay !== true)).toHaveLength(1)
    const [id = ''] = ids
    expect(await payoutState(world(), one.tenant, id)).toMatchObject({ effects: 1 })
    await expectInvariants(world().database)
  })

  it('is left to the next when the first is refused at the last moment', async () => {
    const one = await payer(world(), { availableMinor: 100_000n })
    const headers = { 'idempotency-key': 'order-18' }
    const answers = await atOnce(50, (index) =>
      one.payOut({ amount: index % 2 === 0 ? 1000.01 : 1000 }, { headers }),
    )
    const taken = answers.filter(({ status }) => status === 200)
    expect(new Set(taken.map(({ body }) => body.payoutId)).size).toBe(1)
    expect(taken.filter(({ body }) => body.idempotentReplay !== true)).toHaveLength(1)
    expect(answers.filter(({ status }) => ![200, 400].includes(status))).toEqual([])
  })
})

describe('a held payout', () => {
  async function held() {
    const one = await payer(world(), { thresholdMinor: null })
    const { body } = await one.payOut()
    const approvers = await atOnce(3, () => member(world(), one.tenant, 'approver'))
    const [approver] = approvers
    if (!approver) throw new Error('no one can approve')
    return {
      one,
      id: body.payoutId as string,
      approvers,
      cancel: () => cancel(one, body.payoutId),
      approve: (by = approver) =>
        runOperation(approveApproval, world().context, by, { id: body.approvalId }),
      state: () => payoutState(world(), one.tenant, body.payoutId),
    }
  }

  it('is submitted once by three who approve at once', async () => {
    const payout = await held()
    const results = await Promise.allSettled(payout.approvers.map((by) => payout.approve(by)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await atOnce(3, () => resolvePayoutsSchedule.run(world().context, signal))
    expect(await payout.state()).toMatchObject({ payout: { sends: 1 }, effects: 1 })
    await expectInvariants(world().database)
  })

  // covers: pending → cancelled by POST /payouts/{id}/cancel while
  it('that is cancelled first is never submitted', async () => {
    const payout = await held()
    const [cancelled, approved] = await inOrder(payout, payout.cancel, () => payout.approve())
    expect(cancelled).toMatchObject({ status: 'fulfilled', value: { status: 200 } })
    expect(approved).toMatchObject({ status: 'rejected', reason: { kind: 'invalid_request' } })
    await resolvePayoutsSchedule.run(world().context, signal)
    expect(await payout.state()).toMatchObject({ payout: { status: 'cancelled' }, effects: 0 })
    await expectInvariants(world().database)
  })

  it('that is submitted first cannot be cancelled', async () => {
    const payout = await held()
    const [approved, cancelled] = await inOrder(payout, () => payout.approve(), payout.cancel)
    expect(approved.status).toBe('fulfilled')
    expect(cancelled).toMatchObject({ status: 'fulfilled', value: { status: 400 } })
    await resolvePayoutsSchedule.run(world().context, signal)
    expect(await payout.state()).toMatchObject({ payout: { status: 'processing' }, effects: 1 })
    await expectInvariants(world().database)
  })

  // covers: POST /payouts/{id}/cancel, payouts:cancel
  it('ends as one of both when many cancel and approve at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const payout = await held()
      await Promise.allSettled([
        ...payout.approvers.map((by) => payout.approve(by)),
        payout.cancel(),
        payout.cancel(),
      ])
      expect(['processing', 'cancelled']).toContain((await payout.state()).payout.status)
    }
    await expectInvariants(world().database)
  })
})

// Lets both wait for the payout's lock, the first before the second, and then go.
async function inOrder<First, Second>(
  { one, id }: { one: Payer; id: string },
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[PromiseSettledResult<First>, PromiseSettledResult<Second>]> {
  const { transaction } = world().database
  const locked = Promise.withResolvers<void>()
  const waiting = Promise.withResolvers<void>()
  const holding = transaction(async (tx) => {
    await lockPayout(tx, one.tenant, id)
    locked.resolve()
    await waiting.promise
  })
  await locked.promise
  const firstDone = first()
  await untilBlocked(world().database.sql, 1)
  const both = Promise.allSettled([firstDone, second()])
  await untilBlocked(world().database.sql, 2)
  waiting.resolve()
  await holding
  return both
}
