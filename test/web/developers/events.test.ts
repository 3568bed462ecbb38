// Events of both services in the application.
import { expect, it } from 'vitest'
import { appVisitor } from '../../support/app-visitor.ts'
import { shop } from '../../support/payments.ts'
import { newEndpoint, newEvent } from '../../support/webhooks.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const path = '/developers/events'

it('lists events with how many endpoints got them, filtered by type', async () => {
  const { tenant } = await shop(world())
  await newEvent(world(), tenant, { type: 'payment.failed' })
  await newEndpoint(world(), tenant, 'https://127.0.0.1:9/hook')
  await newEvent(world(), tenant, { service: 'merchant', type: 'payment.succeeded' })
  await newEvent(world(), tenant, { service: 'books', type: 'invoice.paid' })
  const viewer = await appVisitor(world(), tenant.businessId, 'viewer')
  const cells = async (query = '') =>
    [
      ...(await viewer.get(`${path}${query}`)).text.matchAll(
        /<code>([a-z.]+)<\/code>.*?data-label="Delivered to"[^>]*>([^<]*)</gs,
      ),
    ].map(([, type, delivered]) => [type, delivered])
  expect(await cells()).toEqual([
    ['invoice.paid', 'No endpoint'],
    ['payment.succeeded', '0 of 1'],
    ['payment.failed', 'No endpoint'],
  ])
  expect(await cells('?type=payment.failed')).toEqual([['payment.failed', 'No endpoint']])
})

it('shows an event with every digit of its JSON, and its deliveries', async () => {
  const { tenant } = await shop(world())
  const owner = await appVisitor(world(), tenant.businessId)
  const { id: endpointId } = await newEndpoint(world(), tenant, 'https://127.0.0.1:9/hook')
  const data = { amount: 12345678901234567890n }
  await newEvent(world(), tenant, { type: 'payment.succeeded', data })
  const list = await owner.get(path)
  const id = new RegExp(`${path}/([0-9a-f-]{36})`).exec(list.text)?.[1] ?? ''
  const { text } = await owner.get(`${path}/${id}`)
  expect(text).toContain('&quot;amount&quot;: 12345678901234567890')
  expect(text).toContain(`/developers/webhooks/merchant/${endpointId}/deliveries/`)
  expect(text).toContain('Pending')
})

it('names its object by number, name or amount, with a link', async () => {
  const { tenant } = await shop(world())
  const amount = { amount: 450_000n, currency: 'NGN' }
  await newEvent(world(), tenant, { type: 'payout.completed', data: amount })
  const invoice = { kind: 'credit_note', number: 'CN-7', currency: 'NGN' }
  await newEvent(world(), tenant, { service: 'books', type: 'invoice.paid', data: invoice })
  const contact = { name: 'Corner shop' }
  await newEvent(world(), tenant, { service: 'books', type: 'contact.created', data: contact })
  await newEvent(world(), tenant, { service: 'books', type: 'test.ping' })
  const viewer = await appVisitor(world(), tenant.businessId, 'viewer')
  const { text } = await viewer.get(path)
  const objects = [...text.matchAll(/data-label="Object"[^>]*>(.*?)<\/td>/gs)].map(
    ([, cell]) => cell,
  )
  expect(objects).toEqual([
    expect.stringMatching(/<code>[0-9a-f-]{36}<\/code>/),
    'Contact Corner shop',
    'Credit note CN-7',
    expect.stringMatching(/^Payout of .{0,6}4,500\.00$/),
  ])
  const ids = [...text.matchAll(/events\/([0-9a-f-]{36})/g)].map(([, id]) => id)
  const page = (await viewer.get(`${path}/${[...new Set(ids)][2]}`)).text
  expect(page).toMatch(/invoices\/[0-9a-f-]{36}"[^>]*>Credit note CN-7/)
})

it('of another business is not found', async () => {
  const { tenant } = await shop(world())
  await newEvent(world(), tenant)
  const owner = await appVisitor(world(), tenant.businessId)
  const id = /events\/([0-9a-f-]{36})/.exec((await owner.get(path)).text)?.[1]
  const other = await shop(world())
  const stranger = await appVisitor(world(), other.tenant.businessId)
  expect((await stranger.get(`${path}/${id}`)).status).toBe(404)
})
