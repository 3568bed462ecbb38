import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { type NamingFields, requireNamed } from '../input/require-named.ts'
import { taxCodeProblem } from './tax-code.ts'
import { listTaxCodesByIds } from './tax-code-store.ts'

export async function requireTaxCodes(
  sql: Sql | Tx,
  tenant: Tenant,
  fields: NamingFields,
): Promise<void> {
  await requireNamed(
    fields,
    (ids) => listTaxCodesByIds(sql, tenant, ids),
    (code) => taxCodeProblem(code),
  )
}
