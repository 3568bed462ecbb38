// What the merchant service reported about a payment, for a person who posts or assigns it.
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { Payment } from '../payments/payment.ts'
import { findPayment, findPaymentByExternalId } from '../payments/payment-store.ts'
import { collectionKinds, type Movement } from './movement.ts'
import { findLastMovement } from './movement-store.ts'

// Undefined if it has reported nothing yet. A payment that it reversed can't be posted.
export async function requireReportedPayment(
  tx: Tx,
  tenant: Tenant,
  paymentId: string,
): Promise<Movement | undefined> {
  const kinds = [...collectionKinds, 'collection_reversed'] as const
  const movement = await findLastMovement(tx, tenant, paymentId, kinds)
  if (movement?.kind !== 'collection_reversed') return movement
  throw new Fault('conflict', 'The provider reversed this payment.')
}

// The payment in the books: posted automatically, by hand, or assigned.
export async function findBookedCollection(
  tx: Tx,
  tenant: Tenant,
  { bookedPaymentId, objectId }: Movement,
): Promise<Payment | undefined> {
  const booked = bookedPaymentId ? await findPayment(tx, tenant, bookedPaymentId) : undefined
  if (booked && !booked.removedAt) return booked
  return findPaymentByExternalId(tx, tenant, objectId)
}
