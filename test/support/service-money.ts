// Movements of the merchant service as the books record them, without the service.
import { bookDueMovements } from '../../src/books/service-money/book-movement.ts'
import type { Movement, NewMovement } from '../../src/books/service-money/movement.ts'
import { insertMovements, listMovements } from '../../src/books/service-money/movement-store.ts'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import type { World } from './world.ts'

export type WantedMovement = Partial<NewMovement> & Pick<NewMovement, 'kind' | 'heldMinor'>

// 100.00, of which the service keeps 2.90.
export const paid = (objectId: string, more: Partial<WantedMovement> = {}) => ({
  ...({ kind: 'collected', heldMinor: 9710n, feeMinor: 290n, objectId } as const),
  paymentId: objectId,
  ...more,
})
export const givenBack = (paymentId: string, amountMinor: bigint, objectId: string) => ({
  ...({ kind: 'refunded', heldMinor: -amountMinor, paymentId, objectId } as const),
  happenedAt: new Date('2026-02-01T10:00:00Z'),
})
export const takenBack = (objectId: string) => ({
  ...({ kind: 'collection_reversed', heldMinor: -9710n, feeMinor: -290n, objectId } as const),
  happenedAt: new Date('2026-02-02T10:00:00Z'),
})
export const notGivenBack = (paymentId: string, amountMinor: bigint, objectId: string) => ({
  ...({ kind: 'refund_reversed', heldMinor: amountMinor, paymentId, objectId } as const),
  happenedAt: new Date('2026-02-03T10:00:00Z'),
})
export const restored = (objectId: string, more: Partial<WantedMovement> = {}) => ({
  ...paid(objectId, more),
  kind: 'collection_restored' as const,
  happenedAt: new Date('2026-02-04T10:00:00Z'),
})

// Takes movements down in the order in which they are given, books what is due, and answers them
// as they are then.
export async function booked(
  { context, database }: World,
  tenant: Tenant,
  ...wanted: readonly WantedMovement[]
): Promise<Movement[]> {
  const movements = wanted.map((one) => ({
    id: context.ids.uuid(),
    objectId: context.ids.uuid(),
    paymentId: null,
    happenedAt: new Date('2026-01-20T10:00:00Z'),
    currency: 'EUR',
    feeMinor: 0n,
    shareMinor: 0n,
    offerId: null,
    offerText: null,
    ...one,
  }))
  if (movements.length > 0) {
    const now = context.clock.now()
    await database.transaction((tx) => insertMovements(tx, tenant, movements, now))
  }
  await bookDueMovements(context, new AbortController().signal)
  const stored = await listMovements(database.sql, tenant, undefined, 200)
  return movements.map(({ id }) => {
    const found = stored.find((one) => one.id === id)
    if (!found) throw new Error('a movement vanished')
    return found
  })
}

// What stands on an account, in a currency.
export async function amountOn(
  { database }: World,
  tenant: Tenant,
  code: string,
  currency: string,
): Promise<bigint> {
  const [row] = await database.sql<{ amountMinor: bigint }[]>`
    select coalesce(sum(line.amount_minor), 0)::bigint as amount_minor
    from books.journal_lines as line
    join books.accounts as account
      on account.business_id = line.business_id
      and account.environment = line.environment
      and account.id = line.account_id
    where line.business_id = ${tenant.businessId}
      and line.environment = ${tenant.environment}
      and account.code = ${code}
      and line.currency = ${currency}`
  return row?.amountMinor ?? 0n
}
