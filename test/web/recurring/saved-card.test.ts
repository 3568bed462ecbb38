// A recurring invoice that is charged to a saved card, through the pages.
import { beforeEach, expect, it } from 'vitest'
import { addDays } from '../../../src/kernel/basics/calendar.ts'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { type CardSchedule, cardSchedule, workOnce } from '../../support/recurring-cards.ts'
import { cancel, subscribed } from '../../support/subscriptions.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const dayFromNow = (days: number) =>
  addDays(world().context.clock.now().toISOString().slice(0, 10), days)

let one: CardSchedule
let owner: AppVisitor
let path: string

beforeEach(async () => {
  one = await cardSchedule(world(), { nextDay: dayFromNow(31) })
  owner = await appVisitor(world(), one.books.businessId)
  path = `/recurring/${one.id}`
  return () => expectInvariants(world().database)
})

const choose = () => owner.submit(`${path}/card`, { subscriptionId: one.one.id })

// As if the paid period and the days until the next invoice were over.
async function comeDue(): Promise<void> {
  const { sql } = world().database
  const { businessId } = one.books
  await sql`
    update merchant.subscription_periods
    set starts_on = ${dayFromNow(-31)}, ends_before = ${dayFromNow(0)}
    where business_id = ${businessId}`
  await sql`
    update books.recurring_schedules
    set anchor_day = ${dayFromNow(0)}, next_day = ${dayFromNow(0)}
    where business_id = ${businessId}`
}

it('is chosen, shown in both pages with each charge, and stopped', async () => {
  expect((await owner.get(path)).text).toContain(`${path}/card`)
  const form = await owner.get(`${path}/card`)
  expect(form.text).toMatch(/Gold, at most .*1,000\.00.* every month/)
  const answer = await choose()
  expect(answer.status).toBe(303)
  expect((await owner.get(path)).text).toContain('Each invoice is charged to the card')
  const subscription = await owner.get(`/subscriptions/${one.one.id}`)
  expect(subscription.text).toContain('It is not renewed by itself')
  expect(subscription.text).toContain(`${path}"`)

  await comeDue()
  await workOnce(world())
  const page = await owner.get(path)
  const payment = /\/payments\/[0-9a-f-]+"/.exec(page.text)?.[0] ?? 'none'
  expect(page.text).toContain('Succeeded')
  expect((await owner.get(`/subscriptions/${one.one.id}`)).text).toContain(payment)

  expect((await owner.submit(`${path}/stop-card`)).status).toBe(303)
  const stopped = await owner.get(path)
  expect(stopped.text).not.toContain('Each invoice is charged to the card')
  expect(stopped.text).toContain(payment)
})

it('says why a subscription can’t be chosen', async () => {
  const dear = { name: 'Small', amountMinor: 5_000n }
  const { id } = await subscribed(world(), dear, one.one)
  const page = await owner.get(path)
  expect(page.text).toContain('The customer agreed to at most NGN 50.00.')
  const answer = await owner.submit(`${path}/card`, { subscriptionId: id })
  expect(answer.status).toBe(422)
  expect(answer.text).toContain('The customer agreed to at most NGN 50.00.')
})

it('tells of a cancelled subscription and of an invoice that was not charged', async () => {
  await choose()
  await cancel(world(), one.one)
  expect((await owner.get(path)).text).toContain('the customer’s subscription was cancelled')
  await comeDue()
  await workOnce(world())
  expect((await owner.get(path)).text).toContain('The subscription was cancelled.')
})

it('is not offered to viewers', async () => {
  const viewer = await appVisitor(world(), one.books.businessId, 'viewer')
  const page = await viewer.get(path)
  expect(page.status).toBe(200)
  expect(page.text).not.toContain(`${path}/card`)
  expect((await viewer.get(`${path}/card`)).status).toBe(403)
})
