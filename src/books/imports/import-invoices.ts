// One row a line; rows with the same text in `invoice` are one invoice. They become drafts, which
// people look at and issue, with that text as their reference.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { listContactIdsByName } from '../contacts/contact-store.ts'
import { createDocument } from '../documents/create-document.ts'
import { findSameReference } from '../documents/document-store.ts'
import type { CsvRow } from './csv-table.ts'
import { CellProblem, eachRow, type Import } from './import.ts'
import { accountCell, itemCell, requiredCell, taxCodeCell, textCell } from './read-cells.ts'

// What is said once for the whole invoice.
const headColumns = ['contact', 'date', 'due_date', 'currency', 'notes'] as const

export const invoiceImport: Import = {
  required: ['invoice', 'contact', 'description', 'unit_price'],
  optional: [
    'date',
    'due_date',
    'currency',
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
      async make(context, actor) {
        const { sql } = context.database
        const [head] = lines
        const reference = requiredCell(head, 'invoice')
        requireOneHead(lines)
        const contactId = await contactOf(sql, actor, head)
        // A file that is taken twice must not invoice everything twice.
        const same = { id: context.ids.uuid(), kind: 'invoice', contactId, reference } as const
        if (await findSameReference(sql, actor, same)) {
          const message = `There is an invoice with the reference ${reference} already.`
          throw new CellProblem(head, 'invoice', message)
        }
        const given = await eachRow(lines, (row) => lineOf(sql, actor, row))
        return createDocument(context, actor, 'invoice', {
          contact_id: contactId,
          reference,
          date: textCell(head, 'date'),
          due_date: textCell(head, 'due_date'),
          currency: textCell(head, 'currency'),
          notes: textCell(head, 'notes'),
          lines: given,
        })
      },
    })),
}

type Lines = readonly [CsvRow, ...CsvRow[]]

function groupByInvoice(rows: readonly CsvRow[]): Lines[] {
  const groups = new Map<string, [CsvRow, ...CsvRow[]]>()
  for (const row of rows) {
    // Rows without one are each refused by themselves.
    const key = textCell(row, 'invoice') ?? `row ${row.number}`
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return [...groups.values()]
}

// Later rows may repeat it or leave it out, but not contradict it.
function requireOneHead([head, ...rest]: Lines): void {
  for (const row of rest) {
    for (const column of headColumns) {
      const text = textCell(row, column)
      if (text === undefined || text === textCell(head, column)) continue
      throw new CellProblem(row, column, `Differs from row ${head.number} of the same invoice.`)
    }
  }
}

async function contactOf(sql: Sql, tenant: Tenant, row: CsvRow): Promise<string> {
  const name = requiredCell(row, 'contact')
  const [id, ...others] = await listContactIdsByName(sql, tenant, name)
  if (id === undefined) throw new CellProblem(row, 'contact', `No contact is named ${name}.`)
  if (others.length > 0) {
    throw new CellProblem(row, 'contact', `Several contacts are named ${name}. Rename them first.`)
  }
  return id
}

async function lineOf(sql: Sql, tenant: Tenant, row: CsvRow) {
  return {
    description: requiredCell(row, 'description'),
    unit_price: requiredCell(row, 'unit_price'),
    quantity: textCell(row, 'quantity'),
    discount_pct: textCell(row, 'discount_pct'),
    item_id: await itemCell(sql, tenant, row, 'item'),
    account_id: await accountCell(sql, tenant, row, 'account'),
    tax_code_id: await taxCodeCell(sql, tenant, row, 'tax_code'),
  }
}
