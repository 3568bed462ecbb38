import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { type NamingFields, requireNamed } from '../input/require-named.ts'
import { listAccountsByIds } from './account-store.ts'
import { accountProblem } from './control-account.ts'

export async function requireAccounts(
  sql: Sql | Tx,
  tenant: Tenant,
  fields: NamingFields,
): Promise<void> {
  await requireNamed(
    fields,
    (ids) => listAccountsByIds(sql, tenant, ids),
    (account) => accountProblem(account),
  )
}
