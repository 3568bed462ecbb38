import type { Environment } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'

// `event`, `reference` and `transactionId` say what it is about; everything else is sealed.
export type ProviderMessage = {
  readonly id: string
  readonly environment: Environment
  readonly event: string | null
  readonly reference: string | null
  readonly transactionId: string | null
  readonly bodySealed: Buffer
  readonly receivedAt: Date
}

export async function insertProviderMessage(tx: Tx, message: ProviderMessage): Promise<void> {
  await tx`insert into merchant.provider_messages ${tx(message)}`
}

// Of an earlier version, in the clear.
export async function listUnsealedMessages(
  sql: Sql,
  limit: number,
): Promise<{ id: string; body: string }[]> {
  return sql<{ id: string; body: string }[]>`
    select id, body
    from merchant.provider_messages
    where body is not null
    order by id
    limit ${limit}`
}

export async function updateMessageSealed(
  sql: Sql,
  id: string,
  sealed: Pick<ProviderMessage, 'event' | 'reference' | 'transactionId' | 'bodySealed'>,
): Promise<void> {
  await sql`
    update merchant.provider_messages
    set ${sql({ ...sealed, body: null })}
    where id = ${id}`
}

// Deletes at most `limit` messages from before then. Returns how many.
export async function deleteProviderMessages(
  sql: Sql,
  before: Date,
  limit: number,
): Promise<number> {
  const rows = await sql`
    delete from merchant.provider_messages
    where id in (
      select id
      from merchant.provider_messages
      where received_at < ${before}
      order by received_at
      limit ${limit})`
  return rows.count
}
