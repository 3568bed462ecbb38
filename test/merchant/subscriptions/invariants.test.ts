// Each invariant of subscriptions detects its violation, and no other does.
import { expect, it } from 'vitest'
import { listOutdatedSealed, updateSealed } from '../../../src/kernel/auth/sealed-column-store.ts'
import { brokenInvariants, expectInvariants } from '../../support/invariants.ts'
import { changedCard } from '../../support/subscriber-page.ts'
import { type Subscribed, stateOf, subscribed } from '../../support/subscriptions.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

// What a bug would have to do, and how it is undone.
const damages = [
  [
    'a period that is paid by nothing',
    ['I6.3', 'I15.1'],
    (one: Subscribed) => world().database.sql`
      insert into merchant.subscription_periods
        (business_id, environment, subscription_id, number, starts_on, ends_before, paid_at,
         sends, failures, created_at)
      select business_id, environment, subscription_id, 2, ends_before, ends_before + 30,
        paid_at, 0, 0, created_at
      from merchant.subscription_periods
      where subscription_id = ${one.id}`,
    (one: Subscribed) => world().database.sql`
      delete from merchant.subscription_periods
      where subscription_id = ${one.id}
        and number = 2`,
  ],
  [
    'a payment that paid for no period',
    ['I15.1'],
    (one: Subscribed) => world().database.sql`
      update merchant.subscription_periods
      set paid_at = null
      where subscription_id = ${one.id}`,
    (one: Subscribed) => world().database.sql`
      update merchant.subscription_periods
      set paid_at = created_at
      where subscription_id = ${one.id}`,
  ],
  [
    'a subscription that is past due and paid',
    ['I6.3'],
    (one: Subscribed) => world().database.sql`
      update merchant.subscriptions
      set status = 'past_due'
      where id = ${one.id}`,
    (one: Subscribed) => world().database.sql`
      update merchant.subscriptions
      set status = 'active'
      where id = ${one.id}`,
  ],
  [
    'a failure that was none',
    ['I6.4'],
    (one: Subscribed) => world().database.sql`
      update merchant.subscription_periods
      set failures = 1
      where subscription_id = ${one.id}`,
    (one: Subscribed) => world().database.sql`
      update merchant.subscription_periods
      set failures = 0
      where subscription_id = ${one.id}`,
  ],
  [
    'an event that does not name its subscription',
    ['I7.5'],
    (one: Subscribed) => world().database.sql`
      update kernel.events
      set data = data - 'subscription_id'
      where business_id = ${one.tenant.businessId}`,
    (one: Subscribed) => world().database.sql`
      update kernel.events
      set data = data || jsonb_build_object('subscription_id', ${one.id}::text)
      where business_id = ${one.tenant.businessId}`,
  ],
  [
    'the check of a card that is not refunded',
    ['I2.4', 'I13.3'],
    async (one: Subscribed) => {
      await changedCard(world(), one)
      await world().database.sql`
        update merchant.refunds
        set cause = 'requested'
        where business_id = ${one.tenant.businessId}`
    },
    (one: Subscribed) => world().database.sql`
      update merchant.refunds
      set cause = 'card_check'
      where business_id = ${one.tenant.businessId}`,
  ],
] as const

it.each(damages)('%s is found', async (_name, ids, damage, repair) => {
  const one = await subscribed(world())
  await expectInvariants(world().database)
  await damage(one)
  const found = await brokenInvariants(world().database)
  await repair(one)
  expect(found).toEqual([...ids])
  await expectInvariants(world().database)
})

it('the database itself keeps a second payment of a period away', async () => {
  const one = await subscribed(world())
  const again = world().database.sql`
    insert into merchant.payments
      (business_id, environment, id, status, currency, amount_minor, subscription_id,
       subscription_period, payer_email, provider_reference, checkout_expires_at, created_at,
       updated_at)
    select business_id, environment, ${world().context.ids.uuid()}, 'processing', currency,
      amount_minor, subscription_id, subscription_period, payer_email, 'another',
      checkout_expires_at, created_at, updated_at
    from merchant.payments
    where subscription_id = ${one.id}`
  await expect(again).rejects.toThrow('payments_of_period')
})

it('the saved card can be sealed anew, unless the payer has paid with another since', async () => {
  const one = await subscribed(world())
  const { sql } = world().database
  const column = {
    table: 'merchant.subscriptions',
    column: 'card_sealed',
    keys: ['businessId', 'environment', 'id'],
  }
  const ofThis = async () =>
    (await listOutdatedSealed(sql, column, 2, 1000)).find(({ key }) => key.id === one.id)
  const found = await ofThis()
  const { cardSealed } = await stateOf(world(), one)
  expect(found).toEqual({ key: { ...one.tenant, id: one.id }, sealed: cardSealed })
  if (!found) throw new Error('no card')
  await updateSealed(sql, column, { ...found, sealed: Buffer.of(1, 2) }, Buffer.of(2, 2))
  expect((await stateOf(world(), one)).cardSealed).toEqual(cardSealed)
  await updateSealed(sql, column, found, Buffer.of(2, 2))
  expect((await stateOf(world(), one)).cardSealed).toEqual(Buffer.of(2, 2))
  expect(await ofThis()).toBeUndefined()
})
