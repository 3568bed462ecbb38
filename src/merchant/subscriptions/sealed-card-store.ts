// Saved cards that are sealed under another version of the key than the one wanted: the first byte
// of what is sealed is its version.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'

export type SealedCard = Tenant & { readonly id: string; readonly sealed: Buffer }

export async function listOutdatedCards(
  sql: Sql,
  version: number,
  limit: number,
): Promise<SealedCard[]> {
  return sql<SealedCard[]>`
    select business_id, environment, id, card_sealed as sealed
    from merchant.subscriptions
    where get_byte(card_sealed, 0) <> ${version}
    order by business_id, environment, id
    limit ${limit}`
}

// Only what still is as it was read: the payer may have paid with another card.
export async function updateCard(
  sql: Sql,
  { businessId, environment, id, sealed }: SealedCard,
  resealed: Buffer,
): Promise<void> {
  await sql`
    update merchant.subscriptions
    set card_sealed = ${resealed}
    where business_id = ${businessId}
      and environment = ${environment}
      and id = ${id}
      and card_sealed = ${sealed}`
}
