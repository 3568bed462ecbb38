// Money of the payment service in the books, through the pages.
import { beforeEach, describe, expect, it } from 'vitest'
import { setServiceMoney } from '../../../src/books/service-money/set-service-money.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type AppVisitor, appVisitor, fieldsOf } from '../../support/app-visitor.ts'
import { newLink, shop } from '../../support/payments.ts'
import { booked, paid } from '../../support/service-money.ts'
import { type SettlingBooks, settlingBooks } from '../../support/settling.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const path = '/service-money'
let books: SettlingBooks
let owner: AppVisitor
let invoice: string
let payment: string

beforeEach(async () => {
  books = await settlingBooks(world())
  owner = await appVisitor(world(), books.tenant.businessId)
  invoice = await books.document({
    contactId: await books.contact('Brightwater'),
    totalMinor: 10000n,
  })
  payment = world().context.ids.uuid()
  return () => books.check()
})

const statusOf = async (id: string) => (await books.find(id)).status

describe('a payment to assign', () => {
  beforeEach(() => booked(world(), books.tenant, paid(payment, { offerText: 'Beans' })))

  it('is told on Home', async () => {
    expect((await owner.get('')).text).toContain('1 payment is not assigned to an invoice')
  })

  it('is assigned with one click, once', async () => {
    const page = await owner.get(`${path}?view=unassigned`)
    expect(page.text).toContain('Beans')
    expect(page.text).toContain('Brightwater')
    const fields = fieldsOf(page.text)
    expect(fields).toMatchObject({ documentId: invoice })
    const address = `${path}/${payment}/assign`
    for (const _ of ['first', 'again']) {
      expect((await owner.post(address, fields)).status).toBe(303)
    }
    expect(await statusOf(invoice)).toBe('paid')
    expect((await owner.get(`${path}?view=unassigned`)).text).toContain('Nothing to assign')
    expect((await owner.get(path)).text).toContain(`/invoices/${invoice}`)
    expect((await owner.get('')).text).not.toContain('not assigned to an invoice')
  })

  it('is assigned to an invoice that the person chooses', async () => {
    const wanted = { contactId: await books.contact('Eve'), totalMinor: 2500n }
    const other = await books.document(wanted)
    const chosen = await owner.get(`${path}/${payment}/assign?q=eve`)
    expect(chosen.text).not.toContain('Brightwater')
    expect((await owner.post(`${path}/${payment}/assign`, fieldsOf(chosen.text))).status).toBe(303)
    expect([await statusOf(invoice), await statusOf(other)]).toEqual(['posted', 'paid'])
  })

  it('stays if no invoice was chosen, or if it was refunded meanwhile', async () => {
    const address = `${path}/${payment}/assign`
    const { documentId: _, ...empty } = fieldsOf((await owner.get(address)).text)
    expect((await owner.post(address, empty)).status).toBe(422)
    const fields = fieldsOf((await owner.get(address)).text)
    await booked(world(), books.tenant, {
      ...({ kind: 'refunded', heldMinor: -1000n, paymentId: payment } as const),
      happenedAt: new Date('2026-02-01T10:00:00Z'),
    })
    const refused = await owner.post(address, fields)
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('Part of it was refunded')
  })

  it('is only shown to viewers', async () => {
    const viewer = await appVisitor(world(), books.tenant.businessId, 'viewer')
    const page = await viewer.get(`${path}?view=unassigned`)
    expect(page.text).toContain('Not assigned')
    expect(page.text).not.toContain('/assign')
  })
})

it('says what waits and why, and tries it again', async () => {
  await booked(world(), books.tenant, paid(payment, { currency: 'USD' }))
  const page = await owner.get(path)
  expect(page.text).toContain('No rate from USD')
  expect((await owner.get('')).text).toContain('1 movement of the payment service could not be')
  expect((await owner.post(`${path}/retry`, fieldsOf(page.text))).status).toBe(303)
  const { sql } = world().database
  const [row] = await sql<{ due: boolean }[]>`
    select next_try_at <= ${world().context.clock.now()} as due
    from books.service_movements
    where business_id = ${books.tenant.businessId}`
  expect(row).toEqual({ due: true })
})

it('shows what the clearing account holds beyond the balances of the service', async () => {
  await booked(world(), books.tenant, paid(payment))
  // These movements were made without the service, which holds nothing.
  const page = await owner.get(path)
  expect(page.text).toContain('Clearing account 1150')
  expect(page.text).toContain('Why is something unexplained?')
})

it('sets which invoice a payment link is for', async () => {
  const seller = await shop(world(), { businessId: books.tenant.businessId })
  await newLink(world(), seller)
  const [link] = await world().database.sql<{ id: string }[]>`
    select id from merchant.payment_links where business_id = ${books.tenant.businessId}`
  const form = `/payment-links/${link?.id}/invoice`
  expect((await owner.submit(form, { documentId: '' })).status).toBe(422)
  expect((await owner.submit(form, { documentId: invoice })).status).toBe(303)
  await booked(world(), books.tenant, paid(payment, { offerId: link?.id ?? '' }))
  expect(await statusOf(invoice)).toBe('paid')
  const unknown = await owner.get(`/payment-links/${payment}/invoice`)
  expect(unknown.status).toBe(404)
})

it('posts a payment, a refund and a payout by hand', async () => {
  await runOperation(setServiceMoney, world().context, books.owner, { isOn: false })
  expect((await owner.get(path)).text).toContain('is not posted automatically')
  const byHand = `${path}/by-hand`
  const money = { amount: '100', date: '2026-01-20' }
  const post = { ...money, externalId: payment, documentId: invoice, fee: '2.90' }
  expect((await owner.submit(`${byHand}/payment`, post)).status).toBe(303)
  expect(await statusOf(invoice)).toBe('paid')
  const refund = { ...money, externalId: 'refund-1', paymentExternalId: payment }
  expect((await owner.submit(`${byHand}/refund`, refund)).status).toBe(303)
  expect(await statusOf(invoice)).toBe('posted')
  const payout = { ...money, id: world().context.ids.uuid(), amount: '5' }
  expect((await owner.submit(`${byHand}/payout`, payout)).status).toBe(422)
  const arrived = { ...payout, accountId: books.accountId('1000') }
  expect((await owner.submit(`${byHand}/payout`, arrived)).status).toBe(303)
})
