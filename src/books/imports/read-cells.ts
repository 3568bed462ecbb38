// Reads cells. An empty cell means the default.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { findAccountIdByCode } from '../accounts/account-store.ts'
import { listContactIdsByName } from '../contacts/contact-store.ts'
import { findItemIdByCode } from '../items/item-store.ts'
import { findTaxCodeIdByName } from '../taxes/tax-code-store.ts'
import type { CsvRow } from './csv-table.ts'
import { CellProblem } from './import.ts'

// Undefined for an empty cell and for a missing column.
export function textCell({ cells }: CsvRow, column: string): string | undefined {
  return cells[column] || undefined
}

export function requiredCell(row: CsvRow, column: string): string {
  const text = textCell(row, column)
  if (text === undefined) throw new CellProblem(row, column, 'Must not be empty.')
  return text
}

const yes = new Set(['yes', 'y', 'true', '1', 'x'])
const no = new Set(['no', 'n', 'false', '0'])

export function yesOrNoCell(row: CsvRow, column: string): boolean | undefined {
  const text = textCell(row, column)?.toLowerCase()
  if (text === undefined) return undefined
  if (yes.has(text)) return true
  if (no.has(text)) return false
  throw new CellProblem(row, column, 'Must be yes or no.')
}

export function wholeNumberCell(row: CsvRow, column: string): number | undefined {
  const text = textCell(row, column)
  if (text === undefined) return undefined
  if (!/^\d{1,6}$/.test(text)) throw new CellProblem(row, column, 'Must be a whole number.')
  return Number.parseInt(text, 10)
}

type FindId = (sql: Sql | Tx, tenant: Tenant, name: string) => Promise<string | undefined>

export const accountCell = idCell(findAccountIdByCode, 'No account has the code')
export const taxCodeCell = idCell(findTaxCodeIdByName, 'No tax code has the name')
export const itemCell = idCell(findItemIdByCode, 'No item has the code')

// Finds the object that a cell names, which an earlier row may have created.
function idCell(find: FindId, none: string) {
  return async (
    sql: Sql | Tx,
    tenant: Tenant,
    row: CsvRow,
    column: string,
  ): Promise<string | undefined> => {
    const name = textCell(row, column)
    if (name === undefined) return undefined
    const id = await find(sql, tenant, name)
    if (id === undefined) throw new CellProblem(row, column, `${none} ${name}.`)
    return id
  }
}

export async function requiredAccountCell(
  tx: Tx,
  tenant: Tenant,
  row: CsvRow,
  column: string,
): Promise<string> {
  const id = await accountCell(tx, tenant, row, column)
  if (id === undefined) throw new CellProblem(row, column, 'Must not be empty.')
  return id
}

// Contacts are named; a name that several have says nothing.
export async function contactCell(
  sql: Sql | Tx,
  tenant: Tenant,
  row: CsvRow,
  column: string,
): Promise<string | undefined> {
  const name = textCell(row, column)
  if (name === undefined) return undefined
  const [id, ...others] = await listContactIdsByName(sql, tenant, name)
  if (id === undefined) throw new CellProblem(row, column, `No contact is named ${name}.`)
  if (others.length > 0) {
    throw new CellProblem(row, column, `Several contacts are named ${name}. Rename them first.`)
  }
  return id
}

export async function requiredContactCell(
  sql: Sql | Tx,
  tenant: Tenant,
  row: CsvRow,
  column: string,
): Promise<string> {
  requiredCell(row, column)
  return assertDefined(await contactCell(sql, tenant, row, column), 'a cell with text is read')
}
