// What the walk over every route can't derive: how to create an object in a tenant, so that lists
// have something to hide and paths with an id have an object. Add new routes with a path parameter
// here; until then the walk fails and says so.
import type { Environment } from '../../src/kernel/basics/tenant.ts'
import { listLinkItems } from '../../src/merchant/payment-links/payment-link-item-store.ts'
import { newBooks } from './documents.ts'
import { newJournal } from './journal.ts'
import { paidPayment, payment, shop } from './payments.ts'
import { payer } from './payouts.ts'
import { insertRecipient } from './recipients.ts'
import { deliveriesOf, newEndpoint, newEvent } from './webhooks.ts'
import type { World } from './world.ts'

export type Tenancy = { readonly businessId: string; readonly environment: Environment }

// Puts at least one object of every kind that a list shows into the tenant.
export async function fillTenant(world: World, tenancy: Tenancy): Promise<void> {
  const { text } = await world.key({ service: 'books', ...tenancy })
  const { status } = await world.call('POST', '/books/api/v1/contacts', {
    key: text,
    body: { name: 'Known to one tenant only' },
  })
  if (status !== 201) throw new Error(`a contact could not be made: ${status}`)
  const books = await newBooks(world, tenancy)
  await books.draft('invoice')
  await books.draft('bill')
  const journal = await newJournal(world, { ...tenancy, baseCurrency: 'NGN' })
  const day = world.context.clock.now().toISOString().slice(0, 10)
  await journal.post(day, [
    ['1000', 100n],
    ['4000', -100n],
  ])
  // Paid and settled, so that settlements show it too.
  await paidPayment(world, await shop(world, tenancy))
  await insertRecipient(world, tenancy)
  await codePath(world, tenancy)
  await newEndpoint(world, tenancy, unsentUrl)
  // The sandbox has no payouts.
  if (tenancy.environment === 'live') await payoutPath(world, tenancy)
}

async function documentPath(
  world: World,
  tenancy: Tenancy,
  kind: 'invoice' | 'bill',
): Promise<Record<string, string>> {
  const { id } = await (await newBooks(world, tenancy)).draft(kind)
  return { id }
}

async function paymentPath(world: World, tenancy: Tenancy): Promise<Record<string, string>> {
  const { id } = await payment(world, await shop(world, tenancy))
  return { id }
}

// Public, so that it may be registered; no worker runs that would send there.
const unsentUrl = 'https://1.1.1.1/hook'

// Not public, so that an attempt fails before anything leaves.
const refusedUrl = 'https://127.0.0.1/hook'

async function webhookPath(world: World, tenancy: Tenancy): Promise<Record<string, string>> {
  const { id } = await newEndpoint(world, tenancy, unsentUrl)
  return { id }
}

async function deliveryPath(world: World, tenancy: Tenancy): Promise<Record<string, string>> {
  await newEndpoint(world, tenancy, refusedUrl)
  await newEvent(world, tenancy)
  const [delivery] = await deliveriesOf(world, tenancy)
  return { id: delivery?.id ?? '' }
}

// A held one, so that it can be cancelled.
async function payoutPath(world: World, tenancy: Tenancy): Promise<Record<string, string>> {
  const { payOut } = await payer(world, { ...tenancy, thresholdMinor: 0n })
  const { status, body } = await payOut()
  if (status !== 202) throw new Error(`a payout could not be held: ${status}`)
  return { id: body.payoutId }
}

async function approvalPath(world: World, tenancy: Tenancy): Promise<Record<string, string>> {
  const { payOut } = await payer(world, { ...tenancy, thresholdMinor: 0n })
  const { status, body } = await payOut()
  if (status !== 202) throw new Error(`a payout could not be held: ${status}`)
  return { id: body.approvalId }
}

const order = { title: 'Order', currency: 'NGN' }
const linkPath = (world: World, tenancy: Tenancy) => made(world, tenancy, 'payment-links', order)
const codePath = (world: World, tenancy: Tenancy) =>
  made(world, tenancy, 'qr-codes', { mode: 'open_amount', currency: 'NGN' })

async function itemPath(world: World, tenancy: Tenancy): Promise<Record<string, string>> {
  const link = { ...order, items: [{ name: 'Mug', amount: 10 }] }
  const { id = '' } = await made(world, tenancy, 'payment-links', link)
  const [item] = await listLinkItems(world.database.sql, tenancy, [id])
  return { id, itemId: item?.id ?? '' }
}

async function made(
  world: World,
  tenancy: Tenancy,
  path: string,
  body: object,
): Promise<Record<string, string>> {
  const { key } = await shop(world, tenancy)
  const answer = await world.call('POST', `/merchant/api/v1/${path}`, { key, body })
  if (answer.status !== 200) throw new Error(`${path} could not be made: ${answer.status}`)
  return { id: answer.body.id }
}

// By operation: makes the object that the path names and returns the path's parameters.
export const pathObjects: Readonly<
  Record<string, (world: World, tenancy: Tenancy) => Promise<Record<string, string>>>
> = {
  getInvoice: (world, tenancy) => documentPath(world, tenancy, 'invoice'),
  getBill: (world, tenancy) => documentPath(world, tenancy, 'bill'),
  getPayment: paymentPath,
  cancelPayment: paymentPath,
  refundPayment: paymentPath,
  cancelPayout: payoutPath,
  getPayout: payoutPath,
  listPaymentRefunds: paymentPath,
  getPaymentLink: linkPath,
  updatePaymentLink: linkPath,
  updatePaymentLinkItem: itemPath,
  getQrCode: codePath,
  updateQrCode: codePath,
  getApproval: approvalPath,
  deleteWebhook: webhookPath,
  listWebhookDeliveries: webhookPath,
  retryWebhookDelivery: deliveryPath,
  updateSplitRecipient: async (world, tenancy) => ({ id: await insertRecipient(world, tenancy) }),
}
