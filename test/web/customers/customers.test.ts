// Customers are the payers of a business, by e-mail address.
import { beforeAll, expect, it } from 'vitest'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { newLink, paidPayment, pressPay, shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let visitor: AppVisitor

const textOf = (html: string) =>
  html
    .replaceAll('<wbr/>', '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/[ \n]+/g, ' ')

beforeAll(async () => {
  const owner = await shop(world())
  visitor = await appVisitor(world(), owner.tenant.businessId, 'viewer')
  // The helper pays as payer@example.com.
  await paidPayment(world(), owner)
  await paidPayment(world(), owner)
  await paidPayment(world(), owner, await newLink(world(), owner, { currency: 'USD', amount: 20 }))
  const page = await newLink(world(), owner)
  await pressPay(world(), page, { email: 'Payer@Example.com' })
  await pressPay(world(), page, { email: 'zoe@example.com' })
  await pressPay(world(), page, { email: 'ada@example.com' })
})

it('lists each once, with what they paid in each currency', async () => {
  const { text } = await visitor.get('/customers')
  const rows = [...text.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) => textOf(row).trim())
  expect(rows.slice(1).map((row) => row.split(' ')[0])).toEqual([
    'ada@example.com',
    // As they wrote it last.
    'Payer@Example.com',
    'zoe@example.com',
  ])
  // What is not paid does not count.
  expect(rows[1]).toMatch(/^ada@example.com – 0 –/)
  expect(rows[2]).toContain('3 NGN\u00a02,000.00 US$20.00')
})

it('goes on after the last of the page before', async () => {
  const { text: rest } = await visitor.get('/customers?after=ada%40example.com')
  expect(textOf(rest)).not.toContain('ada@example.com')
  expect(textOf(rest)).toContain('zoe@example.com')
})

it('shows one with all payments, whatever the case of the address', async () => {
  const { text, status } = await visitor.get('/customers/PAYER%40example.com')
  expect(status).toBe(200)
  expect(text.match(/\/payments\/[0-9a-f-]{36}"/g)).toHaveLength(4)
  expect(textOf(text)).toContain('Payments that succeeded 3')
})

it('is not found in another business, or without a payment', async () => {
  expect((await visitor.get('/customers/unknown%40example.com')).status).toBe(404)
  const stranger = await appVisitor(world(), (await shop(world())).tenant.businessId)
  expect((await stranger.get('/customers/zoe%40example.com')).status).toBe(404)
  expect((await stranger.get('/customers')).text).toContain('No customers yet')
})

it('is reached from a payment', async () => {
  const { text } = await visitor.get('/payments?q=zoe')
  expect(text).toMatch(/href="[^"]*\/customers\/zoe%40example.com"/)
})
