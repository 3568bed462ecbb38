// Payouts that don't end normally: without a result for days, refused after another process sent
// them, and with a provider that contradicts itself repeatedly.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MerchantContext } from '../../../src/merchant/context.ts'
import { listDiscrepancies } from '../../../src/merchant/discrepancies/discrepancy-store.ts'
import { resolvePayoutsSchedule } from '../../../src/merchant/payouts/resolve-payouts.ts'
import { refusePayout } from '../../../src/merchant/payouts/settle-payout.ts'
import type { TransferFact } from '../../../src/merchant/provider/provider.ts'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { balancesOf } from '../../support/payments.ts'
import { type Payer, payer, payoutState } from '../../support/payouts.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock()
const world = useWorld({ clock })
const hour = 3600
const day = 24 * hour

let one: Payer

beforeEach(async () => {
  one = await payer(world())
})
afterEach(() => expectInvariants(world().database))

const rule = (wanted: Record<string, unknown>) =>
  world().simulator.rule(one.tenant, { count: 1, ...wanted })
const state = (id: string) => payoutState(world(), one.tenant, id)

async function payOut(): Promise<string> {
  const { status, body } = await one.payOut({ amount: 1000 })
  expect([status, body.status]).toEqual([200, 'processing'])
  return body.payoutId
}

async function resolveAfter(seconds: number, id: string, context = world().context) {
  clock.advance(seconds * 1000)
  await world().simulator.drain()
  await resolvePayoutsSchedule.run(context, new AbortController().signal)
  return state(id)
}

async function proceed(id: string) {
  const { providerReference: reference } = (await state(id)).payout
  const by = { subject: 'transfer', reference }
  await world().simulator.control(one.tenant, 'POST', '/proceed', by)
}

const breaks = (isOpen: boolean) =>
  listDiscrepancies(world().database.sql, { ...one.tenant, isOpen }, 100)

// The provider as it is, but for what it says of transfers.
function saying(status: TransferFact['status']): MerchantContext {
  const { context } = world()
  return {
    ...context,
    async providerFor(tenant) {
      const provider = await context.providerFor(tenant)
      return {
        ...provider,
        async findTransfer(reference) {
          const found = await provider.findTransfer(reference)
          if (found.kind !== 'success' || !found.value) return found
          return { ...found, value: { ...found.value, status } }
        },
      }
    },
  }
}

describe('a payout without an end', () => {
  it('is a break after three days, which its end resolves', async () => {
    await rule({ operation: 'transfer', effect: 'stay_new' })
    const id = await payOut()
    await resolveAfter(2 * day, id)
    expect(await breaks(false)).toEqual([])
    await resolveAfter(day, id)
    expect(await breaks(true)).toMatchObject([{ cause: 'payout_unresolved', objectId: id }])
    await resolveAfter(day, id)
    expect(await breaks(false)).toHaveLength(1)
    await proceed(id)
    expect((await resolveAfter(2 * hour, id)).payout.status).toBe('completed')
    expect(await breaks(true)).toEqual([])
  })

  it('is a break also where there is no provider any more', async () => {
    await rule({ operation: 'transfer', effect: 'stay_new' })
    const id = await payOut()
    const { context } = world()
    const providerFor = () => Promise.reject(new Error('no provider'))
    await resolveAfter(4 * day, id, { ...context, providerFor })
    expect(await breaks(true)).toMatchObject([{ cause: 'payout_unresolved' }])
    await proceed(id)
    await resolveAfter(2 * hour, id)
  })
})

describe('a refusal that is told late', () => {
  const refuse = (id: string, send: number) => {
    const { database, context } = world()
    const actor = { kind: 'system', name: 'held up', ...one.tenant } as const
    return database.transaction((tx) => refusePayout(tx, context, actor, id, send))
  }

  it('fails no payout that someone else has sent since', async () => {
    await rule({ operation: 'POST /transfers', effect: 'drop' })
    const id = await payOut()
    await resolveAfter(60, id)
    await rule({ operation: 'POST /transfers', effect: 'drop_after' })
    await rule({ operation: 'transfer', effect: 'stay_new' })
    const sent = await resolveAfter(700, id)
    expect(sent.payout).toMatchObject({ status: 'processing', sends: 2, providerTransferId: null })
    expect((await refuse(id, 1)).status).toBe('processing')
    await proceed(id)
    expect((await resolveAfter(2 * hour, id)).payout.status).toBe('completed')
  })

  it('fails no payout whose transfer the provider has named', async () => {
    await rule({ operation: 'transfer', effect: 'stay_new' })
    const id = await payOut()
    expect((await state(id)).payout.providerTransferId).not.toBeNull()
    expect((await refuse(id, 1)).status).toBe('processing')
  })

  it('fails a payout of which nothing else is known', async () => {
    await rule({ operation: 'POST /transfers', effect: 'drop' })
    const id = await payOut()
    expect((await refuse(id, 1)).status).toBe('failed')
  })
})

describe('a provider that changes its mind again', () => {
  it('is followed by the ledger when the money has left after all', async () => {
    const id = await payOut()
    await resolveAfter(60, id)
    const paid = await balancesOf(world(), one.tenant)
    const failed = await resolveAfter(hour, id, saying('failed'))
    expect(failed.entries).toEqual(['payout.completed', 'payout.reversed'])
    const restored = await resolveAfter(6 * hour, id)
    expect(restored.payout).toMatchObject({ status: 'completed', contradictedAt: null })
    expect(restored.entries).toEqual(['payout.completed', 'payout.reversed', 'payout.restored'])
    expect(restored.events).toHaveLength(1)
    expect(await balancesOf(world(), one.tenant)).toEqual(paid)
    expect(await breaks(true)).toEqual([])
  })

  it('is a break from then on, and nothing more is booked', async () => {
    const id = await payOut()
    await resolveAfter(60, id)
    await resolveAfter(hour, id, saying('failed'))
    await resolveAfter(6 * hour, id)
    const again = await resolveAfter(day, id, saying('failed'))
    expect(again.entries).toHaveLength(3)
    expect(await breaks(true)).toMatchObject([{ cause: 'payout_contradicted_again' }])
  })

  it('is a break when a late success did not last', async () => {
    await rule({ operation: 'transfer', effect: 'fail' })
    const id = await payOut()
    expect((await resolveAfter(60, id)).payout.status).toBe('failed')
    await resolveAfter(hour, id, saying('successful'))
    const after = await resolveAfter(6 * hour, id)
    expect(after.entries).toEqual(['payout.late'])
    expect((await breaks(true)).map(({ cause }) => cause)).toEqual([
      'payout_late_success',
      'payout_contradicted_again',
    ])
  })
})
