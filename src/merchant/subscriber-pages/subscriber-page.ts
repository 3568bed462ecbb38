// The page of a subscription for its subscriber. Everyone with the address may change the card and
// cancel, so it contains a random id and can't be guessed from the id of the subscription.
import { hostedReference } from '../../kernel/basics/hosted-reference.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'

export type SubscriberPage = {
  readonly subscriptionId: string
  readonly publicId: string
  // Of this address.
  readonly createdAt: Date
}

export function subscriberPath(tenant: Tenant, publicId: string): string {
  return `/s/${hostedReference(tenant, publicId)}`
}

export function subscriberUrl(publicUrl: string, tenant: Tenant, publicId: string): string {
  return `${publicUrl}${subscriberPath(tenant, publicId)}`
}
