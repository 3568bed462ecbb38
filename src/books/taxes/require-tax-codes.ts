import { invalidField } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { taxCodeProblem } from './tax-code.ts'
import { listTaxCodesByIds } from './tax-code-store.ts'

// By the name of the field that holds each id; what is not there is not asked for.
export async function requireTaxCodes(
  sql: Sql | Tx,
  tenant: Tenant,
  fields: Readonly<Record<string, string | null | undefined>>,
): Promise<void> {
  const named = Object.entries(fields).filter((field): field is [string, string] =>
    Boolean(field[1]),
  )
  if (named.length === 0) return
  const ids = named.map(([, id]) => id)
  const codes = new Map((await listTaxCodesByIds(sql, tenant, ids)).map((code) => [code.id, code]))
  for (const [field, id] of named) {
    const problem = taxCodeProblem(codes.get(id))
    if (problem) throw invalidField(field, problem)
  }
}
