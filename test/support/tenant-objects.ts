// What the walk over every route needs to know and cannot derive: how to put something into a
// tenant, so that a list has something to hide and a path with an id has an object to name. A new
// route with a path parameter is added here; until it is, the walk fails and says so.
import type { Environment } from '../../src/kernel/basics/tenant.ts'
import { paidPayment, payment, shop } from './payments.ts'
import { insertRecipient } from './recipients.ts'
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
  // Paid and settled, so that settlements show it too.
  await paidPayment(world, await shop(world, tenancy))
  await insertRecipient(world, tenancy)
}

async function paymentPath(world: World, tenancy: Tenancy): Promise<Record<string, string>> {
  const { id } = await payment(world, await shop(world, tenancy))
  return { id }
}

// By operation: makes the object that the path names and returns the path's parameters.
export const pathObjects: Readonly<
  Record<string, (world: World, tenancy: Tenancy) => Promise<Record<string, string>>>
> = {
  getPayment: paymentPath,
  cancelPayment: paymentPath,
  refundPayment: paymentPath,
  updateSplitRecipient: async (world, tenancy) => ({ id: await insertRecipient(world, tenancy) }),
}
