// Our records against the provider's list.
import { expect, it } from 'vitest'
import { reconcileChargesSchedule } from '../../../src/merchant/breaks/reconcile-charges.ts'
import { hostedReference } from '../../../src/merchant/checkout/hosted-reference.ts'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { breaksOf, paidPayment, payment, shop, storedPayment } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock()
const world = useWorld({ clock })

const reconcile = () => reconcileChargesSchedule.run(world().context, new AbortController().signal)

it('finds nothing where both agree', async () => {
  const owner = await shop(world())
  await paidPayment(world(), owner)
  const declined = await payment(world(), owner)
  await world().simulator.pay(owner.tenant, declined.reference, 'insufficient_funds')
  clock.advance(2 * 3_600_000)
  await reconcile()
  expect(await breaksOf(world(), owner.tenant)).toEqual([])
})

it('applies what nobody told us', async () => {
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
  expect(await breaksOf(world(), paid.tenant)).toEqual([])
  clock.advance(2 * 3_600_000)
  await reconcile()
  await reconcile()
  expect(await breaksOf(world(), paid.tenant)).toMatchObject([
    { cause: 'missing_there', objectId: paid.id },
  ])
})

it('records a charge of ours that has no payment here', async () => {
  const { tenant } = await paidPayment(world())
  const id = world().context.ids.uuid()
  const reference = hostedReference(tenant, id)
  const provider = await world().context.providerFor(tenant)
  await provider.createCheckout({
    reference,
    amountMinor: 5_000n,
    currency: 'NGN',
    payerEmail: 'payer@example.com',
    payerName: null,
    title: 'Lost',
    description: null,
    returnUrl: 'https://tillbook.example/back',
    sessionMinutes: 30,
    split: null,
  })
  await world().simulator.pay(tenant, reference)
  await reconcile()
  expect(await breaksOf(world(), tenant)).toMatchObject([{ cause: 'missing_here', objectId: id }])
})

it('makes no breaks of a list that could not be read whole', async () => {
  const paid = await paidPayment(world())
  clock.advance(2 * 3_600_000)
  const rule = { operation: 'GET /transactions', effect: 'refuse', status: 503 }
  await world().simulator.rule(paid.tenant, rule)
  await reconcile()
  expect(await breaksOf(world(), paid.tenant)).toEqual([])
})
