// The canary: one row that only the right SECRETS_KEY opens. Otherwise a service with the wrong key
// would only notice in the middle of a payout.
import type { Sql } from '../db/database.ts'
import { canaryRow, type Secrets, SecretsError } from './secrets.ts'

const canaryText = 'tillbook'

export async function checkSecretsCanary(sql: Sql, secrets: Secrets): Promise<void> {
  // Two processes may start at once on a new database. The first one's canary stays.
  await sql`
    insert into kernel.secrets_canary (id, sealed)
    values (1, ${secrets.seal(canaryText, canaryRow)})
    on conflict (id) do nothing`
  const [row] = await sql<{ sealed: Buffer }[]>`
    select sealed
    from kernel.secrets_canary
    where id = 1`
  if (row && secrets.open(row.sealed, canaryRow).toString() !== canaryText) {
    throw new SecretsError('the canary holds another text')
  }
}
