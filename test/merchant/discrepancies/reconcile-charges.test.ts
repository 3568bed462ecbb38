// Our records against the provider's list.
import { expect, it } from 'vitest'
import { hostedReference } from '../../../src/kernel/basics/hosted-reference.ts'
import {
  reconcileChargesSchedule,
  reconcileOlderChargesSchedule,
} from '../../../src/merchant/discrepancies/reconcile-charges.ts'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import {
  type Begun,
  balancesOf,
  discrepanciesOf,
  eventsOf,
  paidPayment,
  payment,
  shop,
  storedPayment,
} from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock()
const world = useWorld({ clock })

const reconcile = () => reconcileChargesSchedule.run(world().context, new AbortController().signal)

// A page under a reference of ours that no press of Pay asked for.
async function openPage({ tenant, reference }: Pick<Begun, 'tenant' | 'reference'>) {
  const provider = await world().context.providerFor(tenant)
  await provider.createCheckout({
    reference,
    amountMinor: 100_000n,
    currency: 'NGN',
    payerEmail: 'payer@example.com',
    payerName: null,
    title: 'Lost',
    description: null,
    returnUrl: 'https://tillbook.example/back',
    sessionMinutes: 30,
    split: null,
  })
}

it('finds nothing where both agree', async () => {
  const owner = await shop(world())
  await paidPayment(world(), owner)
  const declined = await payment(world(), owner)
  await world().simulator.pay(owner.tenant, declined.reference, 'insufficient_funds')
  clock.advance(2 * 3_600_000)
  await reconcile()
  expect(await discrepanciesOf(world(), owner.tenant)).toEqual([])
})

it('applies what no one told us', async () => {
  const begun = await payment(world())
  await world().simulator.pay(begun.tenant, begun.reference)
  await reconcile()
  expect((await storedPayment(world(), begun)).status).toBe('succeeded')
  await expectInvariants(world().database)
})

it('records a payment that the provider does not list, once, and not while it is fresh', async () => {
  const paid = await paidPayment(world())
  await world().database.sql`
    update simulator.charges
    set tx_ref = 'another'
    where tx_ref = ${paid.reference}`
  await reconcile()
  expect(await discrepanciesOf(world(), paid.tenant)).toEqual([])
  clock.advance(2 * 3_600_000)
  await reconcile()
  await reconcile()
  expect(await discrepanciesOf(world(), paid.tenant)).toMatchObject([
    { cause: 'missing_there', objectId: paid.id },
  ])
})

it('records a charge of ours that has no payment here', async () => {
  const { tenant } = await paidPayment(world())
  const id = world().context.ids.uuid()
  const reference = hostedReference(tenant, id)
  await openPage({ tenant, reference })
  await world().simulator.pay(tenant, reference)
  await reconcile()
  expect(await discrepanciesOf(world(), tenant)).toMatchObject([
    { cause: 'missing_here', objectId: id },
  ])
})

it('makes no breaks of a list that could not be read whole', async () => {
  const paid = await paidPayment(world())
  clock.advance(2 * 3_600_000)
  const rule = { operation: 'GET /transactions', effect: 'refuse', status: 503 }
  await world().simulator.rule(paid.tenant, rule)
  await reconcile()
  expect(await discrepanciesOf(world(), paid.tenant)).toEqual([])
})

it('does not fail a payment that is being paid because an earlier try was declined', async () => {
  const begun = await payment(world())
  const { tenant, reference } = begun
  const { simulator } = world()
  await simulator.rule(tenant, { operation: 'webhook', effect: 'withhold' })
  await simulator.pay(tenant, reference, 'insufficient_funds')
  await openPage(begun)
  await simulator.rule(tenant, { operation: 'charge', effect: 'stay_pending' })
  await simulator.pay(tenant, reference)
  await reconcile()
  expect(await storedPayment(world(), begun)).toMatchObject({ status: 'processing' })
  expect(await eventsOf(world(), tenant)).toEqual([])
})

it.each(['contradict_in_list', 'contradict_in_verify'])(
  'takes nothing back while the provider calls a charge successful elsewhere (%s)',
  async (effect) => {
    const begun = await payment(world())
    await world().simulator.rule(begun.tenant, { operation: 'charge', effect })
    await world().simulator.pay(begun.tenant, begun.reference)
    await reconcile()
    const balances = await balancesOf(world(), begun.tenant)
    await reconcile()
    expect((await storedPayment(world(), begun)).status).toBe('succeeded')
    expect(await balancesOf(world(), begun.tenant)).toEqual(balances)
    expect(await discrepanciesOf(world(), begun.tenant)).toEqual([])
  },
)

it('is not blinded by what another program charged on the same account', async () => {
  const owner = await shop(world())
  const { simulator } = world()
  await simulator.rule(owner.tenant, { operation: 'webhook', effect: 'withhold' })
  const foreign = await payment(world(), owner)
  await simulator.rule(owner.tenant, { operation: 'charge', effect: 'hide_reference', count: 1 })
  await simulator.pay(owner.tenant, foreign.reference)
  const ours = await payment(world(), owner)
  await simulator.pay(owner.tenant, ours.reference)
  await reconcile()
  expect((await storedPayment(world(), ours)).status).toBe('succeeded')
})

it('goes on with the others when one charge cannot be taken', async () => {
  const owner = await shop(world())
  const { simulator, database, logLines } = world()
  await simulator.rule(owner.tenant, { operation: 'webhook', effect: 'withhold' })
  const good = await payment(world(), owner)
  const bad = await payment(world(), owner)
  for (const { reference } of [good, bad]) await simulator.pay(owner.tenant, reference)
  // Whatever goes wrong: here the fact is about another reference than the payment has.
  await database.sql`
    update merchant.payments
    set provider_reference = ${`${bad.reference}x`}
    where id = ${bad.id}`
  await reconcile()
  expect((await storedPayment(world(), good)).status).toBe('succeeded')
  expect(logLines.join('')).toContain('a charge could not be compared')
  await database.sql`
    update merchant.payments
    set provider_reference = ${bad.reference}
    where id = ${bad.id}`
})

it('notices on a later day that a charge was taken back', async () => {
  const paid = await paidPayment(world())
  const { simulator } = world()
  await simulator.rule(paid.tenant, { operation: 'webhook', effect: 'withhold' })
  clock.advance(4.5 * 86_400_000)
  await simulator.control(paid.tenant, 'POST', '/act', {
    subject: 'charge',
    reference: paid.reference,
    step: 'reverse',
  })
  await reconcile()
  expect(await discrepanciesOf(world(), paid.tenant)).toEqual([])
  for (let day = 0; day < 3; day += 1) {
    await reconcileOlderChargesSchedule.run(world().context, new AbortController().signal)
    clock.advance(86_400_000)
  }
  expect(await discrepanciesOf(world(), paid.tenant)).toMatchObject([
    { cause: 'failure_after_success' },
  ])
})
