import type { Environment } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'

export type ProviderMessage = {
  readonly id: string
  readonly environment: Environment
  readonly body: string
  readonly receivedAt: Date
}

export async function insertProviderMessage(tx: Tx, message: ProviderMessage): Promise<void> {
  await tx`insert into merchant.provider_messages ${tx(message)}`
}

// How many went; at most `limit` of those that came before then.
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
