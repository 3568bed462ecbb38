// The receipt of a payment: its page, its PDF, and who can open them.
import { expect, it } from 'vitest'
import { payerMailJob } from '../../src/bridge/payer-mail-job.ts'
import { findMailContent } from '../../src/kernel/mail/mail-store.ts'
import { receiptPath } from '../../src/merchant/receipts/receipt.ts'
import { appVisitor } from '../support/app-visitor.ts'
import { workerFor } from '../support/jobs.ts'
import { newItemLink, orderItems } from '../support/link-items.ts'
import {
  type Begun,
  comeBack,
  newLink,
  paidPayment,
  payment as pendingPayment,
  shop,
  storedPayment,
} from '../support/payments.ts'
import { textIn } from '../support/pdf.ts'
import { useWorld } from '../support/world.ts'
import { putThreshold } from './refunds/paid-payment.ts'

const world = useWorld()

const pathOf = async (paid: Begun) => receiptPath(await storedPayment(world(), paid))

const textOf = (html: string) =>
  html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/[\s\u00a0\u202f]+/g, ' ')

async function pdfOf(path: string, query = ''): Promise<string> {
  const answer = await world().call('GET', `${path}/pdf${query}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  return textIn(answer.bytes).replaceAll(/[\s\u00a0\u202f]+/g, ' ')
}

it('says what was paid, to whom, when and how, on the page and in the PDF', async () => {
  const seller = await shop(world())
  const admin = await appVisitor(world(), seller.tenant.businessId, 'admin')
  await admin.submit('/settings/branding/edit', { contactEmail: 'help@shop.example' })
  const link = await newLink(world(), seller, { reference: 'order-1001' })
  const paid = await paidPayment(world(), seller, link)
  const path = await pathOf(paid)
  const page = await world().call('GET', path)
  expect(page.status).toBe(200)
  expect(page.headers.get('x-robots-tag')).toBe('noindex')
  for (const text of [textOf(page.text), await pdfOf(path)]) {
    for (const part of ['Corner shop', 'Order 1001', '₦1,000.00', 'Verve •••• 4667']) {
      expect(text).toContain(part)
    }
    expect(text).toContain('order-1001')
    expect(text).toContain(paid.id)
    expect(text).toContain('help@shop.example')
    expect(text).toContain('Demonstration: this payment is simulated.')
  }
  const shown = await admin.get(`/payments/${paid.id}`)
  expect(shown.text).toContain(`href="${path}"`)
})

it('lists items with quantity and price, also in the mail', async () => {
  const seller = await shop(world())
  const items = [
    { name: 'T-shirt', amount: 25, minQuantity: 1, maxQuantity: 5 },
    { name: 'Delivery', amount: 3 },
  ]
  const owner = await newItemLink(world(), seller, items)
  await orderItems(world(), owner, [2])
  const [begun] = await world().database.sql<{ id: string; providerReference: string }[]>`
    select id, provider_reference
    from merchant.payments
    where business_id = ${owner.tenant.businessId}`
  const { id = '', providerReference = '' } = begun ?? {}
  await world().simulator.pay(owner.tenant, providerReference)
  await comeBack(world(), providerReference)
  const path = await pathOf({ ...owner, id, reference: providerReference })
  const { text } = await world().call('GET', path)
  expect(textOf(text)).toContain('T-shirt 2 × ₦25.00 ₦50.00 Delivery 1 × ₦3.00 ₦3.00 Total ₦53.00')
  expect(await pdfOf(path)).toMatch(/T-shirt 2 ₦25\.00 ₦50\.00 Delivery 1 ₦3\.00 ₦3\.00 Total ₦53/)
  await workerFor(world().context, { jobs: [payerMailJob] }).drain()
  const [mail] = await world().database.sql<{ shard: number; id: string }[]>`
    select shard, id
    from kernel.mails
    where business_id = ${owner.tenant.businessId}`
  const content = mail && (await findMailContent(world().database.sql, mail))
  expect(content?.bodyText).toContain('T-shirt, 2 × ₦25.00: ₦50.00\nDelivery, 1 × ₦3.00: ₦3.00')
})

it('shows refunds and what is left', async () => {
  const paid = await paidPayment(world())
  await putThreshold(world(), paid.tenant, 'NGN', 100_000_000n)
  await world().simulator.control(paid.tenant, 'POST', '/fund', { amount: 10_000, currency: 'NGN' })
  const refunded = await world().call('POST', `/merchant/api/v1/payments/${paid.id}/refund`, {
    key: paid.key,
    body: { amount: 25_000 },
  })
  expect(refunded.status).toBe(200)
  const path = await pathOf(paid)
  for (const text of [textOf((await world().call('GET', path)).text), await pdfOf(path)]) {
    expect(text).toContain('Partly refunded')
    expect(text).toMatch(/Refunds .*-₦250\.00 Left after refunds ₦750\.00/)
  }
})

it('is in the language of the payer', async () => {
  const path = await pathOf(await paidPayment(world()))
  const page = await world().call('GET', path, { headers: { 'accept-language': 'fr' } })
  expect(textOf(page.text)).toContain('Télécharger en PDF')
  expect(page.text).toContain(`${path}/pdf?lang=fr`)
  const pdf = await pdfOf(path, '?lang=fr')
  expect(pdf).toContain('Reçu')
  expect(pdf).toContain('1 000,00 ₦')
  expect(pdf).toContain('Page 1 sur 1')
  expect(pdf).not.toMatch(/Receipt|Amount|Paid|Page 1 of/)
})

it('is marked in the sandbox', async () => {
  const path = await pathOf(
    await paidPayment(world(), await shop(world(), { environment: 'test' })),
  )
  expect(await pdfOf(path)).toContain('Test mode: no real money moves.')
})

it('opens only with its own key, and only after the payment', async () => {
  const paid = await paidPayment(world())
  const path = await pathOf(paid)
  const other = await pathOf(await paidPayment(world(), paid))
  const key = (whole: string) => whole.split('/').at(-1) ?? ''
  for (const wrong of [
    path.slice(0, -1),
    `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`,
    path.replace(key(path), key(other)),
    path.replace(key(path), 'null'),
    '/receipt/none/none',
  ]) {
    expect((await world().call('GET', wrong)).status).toBe(404)
    expect((await world().call('GET', `${wrong}/pdf`)).status).toBe(404)
  }
  const pending = await pendingPayment(world())
  expect((await world().call('GET', await pathOf(pending))).status).toBe(404)
  // Those who know the payment's id don't find the receipt by it.
  expect((await comeBack(world(), paid.reference)).text).not.toContain('/receipt/')
})
