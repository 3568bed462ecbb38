// One row per line; rows with the same text in `invoice` are one invoice. They become drafts, which
// people check and issue, with that text as their reference.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { validated } from '../../kernel/operations/validate.ts'
import { listContactIdsByName } from '../contacts/contact-store.ts'
import type { BooksContext } from '../context.ts'
import { addDocument } from '../documents/create-document.ts'
import { documentInput } from '../documents/document-input.ts'
import { findSameReference } from '../documents/document-store.ts'
import type { CsvRow } from './csv-table.ts'
import { CellProblem, type Import, makeFrom, readCells } from './import.ts'
import { accountCell, itemCell, requiredCell, taxCodeCell, textCell } from './read-cells.ts'

// Columns for the whole invoice.
const headColumns = ['contact', 'date', 'due_date', 'currency', 'fx_rate', 'notes'] as const

export const invoiceImport: Import = {
  required: ['invoice', 'contact', 'description', 'unit_price'],
  optional: [
    'date',
    'due_date',
    'currency',
    'fx_rate',
    'notes',
    'quantity',
    'discount_pct',
    'item',
    'account',
    'tax_code',
  ],
  steps: (rows) =>
    groupByInvoice(rows).map((lines) => ({
      rows: lines,
      async make(tx, context, actor) {
        const [head] = lines
        requireOneHead(lines)
        const about = await readCells({
          reference: () => requiredCell(head, 'invoice'),
          contactId: () => contactOf(tx, actor, head),
        })
        const readings = []
        for (const row of lines) readings.push(await lineOf(tx, actor, row))
        const problems = [...about.problems, ...readings.flatMap((reading) => reading.problems)]
        if (problems.length === 0) await requireNew(tx, context, actor, head, about.values)
        const values = {
          ...about.values,
          date: textCell(head, 'date'),
          dueDate: textCell(head, 'due_date'),
          currency: textCell(head, 'currency'),
          fxRate: textCell(head, 'fx_rate'),
          notes: textCell(head, 'notes'),
          lines: readings.map((reading) => reading.values),
        }
        await makeFrom({ values, problems }, (input) =>
          addDocument(tx, context, actor, 'invoice', validated(documentInput, input)),
        )
      },
    })),
}

type Lines = readonly [CsvRow, ...CsvRow[]]

function groupByInvoice(rows: readonly CsvRow[]): Lines[] {
  const groups = new Map<string, [CsvRow, ...CsvRow[]]>()
  for (const row of rows) {
    // Rows without one are refused one by one.
    const key = textCell(row, 'invoice') ?? `row ${row.number}`
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return [...groups.values()]
}

// Later rows can repeat it or leave it out, but not contradict it.
function requireOneHead([head, ...rest]: Lines): void {
  for (const row of rest) {
    for (const column of headColumns) {
      const text = textCell(row, column)
      if (text === undefined || text === textCell(head, column)) continue
      throw new CellProblem(row, column, `Differs from row ${head.number} of the same invoice.`)
    }
  }
}

async function contactOf(tx: Tx, tenant: Tenant, row: CsvRow): Promise<string> {
  const name = requiredCell(row, 'contact')
  const [id, ...others] = await listContactIdsByName(tx, tenant, name)
  if (id === undefined) throw new CellProblem(row, 'contact', `No contact is named ${name}.`)
  if (others.length > 0) {
    throw new CellProblem(row, 'contact', `Several contacts are named ${name}. Rename them first.`)
  }
  return id
}

// A file that is imported twice must not invoice everything twice.
async function requireNew(
  tx: Tx,
  { ids }: BooksContext,
  tenant: Tenant,
  head: CsvRow,
  { reference, contactId }: { reference: string; contactId: string },
): Promise<void> {
  const same = { id: ids.uuid(), kind: 'invoice', contactId, reference } as const
  if (!(await findSameReference(tx, tenant, same))) return
  const message = `There is already an invoice with the reference ${reference}.`
  throw new CellProblem(head, 'invoice', message)
}

function lineOf(tx: Tx, tenant: Tenant, row: CsvRow) {
  return readCells({
    description: () => requiredCell(row, 'description'),
    unitPrice: () => requiredCell(row, 'unit_price'),
    quantity: () => textCell(row, 'quantity'),
    discountPct: () => textCell(row, 'discount_pct'),
    itemId: () => itemCell(tx, tenant, row, 'item'),
    accountId: () => accountCell(tx, tenant, row, 'account'),
    taxCodeId: () => taxCodeCell(tx, tenant, row, 'tax_code'),
  })
}
