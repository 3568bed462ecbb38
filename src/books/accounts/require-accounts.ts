import { invalidField } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { listAccountsByIds } from './account-store.ts'
import { accountProblem } from './control-account.ts'

// By the name of the field that holds each id; what is not there is not asked for.
export async function requireAccounts(
  sql: Sql | Tx,
  tenant: Tenant,
  fields: Readonly<Record<string, string | null | undefined>>,
): Promise<void> {
  const named = Object.entries(fields).filter((field): field is [string, string] =>
    Boolean(field[1]),
  )
  if (named.length === 0) return
  const ids = named.map(([, id]) => id)
  const accounts = new Map(
    (await listAccountsByIds(sql, tenant, ids)).map((account) => [account.id, account]),
  )
  for (const [field, id] of named) {
    const problem = accountProblem(accounts.get(id))
    if (problem) throw invalidField(field, problem)
  }
}
