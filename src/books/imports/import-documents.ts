// One row per line; rows with the same text in the first column are one document. They become
// drafts, which people check, with that text as their reference; or they are posted at once, as
// documents that were issued elsewhere: invoices keep their numbers, and bills get one of ours and
// keep the supplier's as their reference.
import type { Actor } from '../../kernel/auth/actor.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { line } from '../../kernel/operations/schemas.ts'
import { validated } from '../../kernel/operations/validate.ts'
import type { BooksContext } from '../context.ts'
import { lockForChange } from '../documents/change-document.ts'
import { addDocument } from '../documents/create-document.ts'
import { documentInput } from '../documents/document-input.ts'
import { findIdByNumber } from '../documents/document-number-store.ts'
import { findSameReference } from '../documents/document-store.ts'
import { postDocument } from '../documents/post-document.ts'
import type { CsvRow } from './csv-table.ts'
import { groupRows, requireOneHead } from './group-rows.ts'
import { CellProblem, type Import, type ImportOptions, makeFrom, readCells } from './import.ts'
import {
  accountCell,
  itemCell,
  requiredCell,
  requiredContactCell,
  taxCodeCell,
  textCell,
} from './read-cells.ts'

type Kind = 'invoice' | 'bill'

// Columns for the whole document.
const headColumns = ['contact', 'date', 'due_date', 'currency', 'fx_rate', 'notes'] as const
const numberMax = 40

export const invoiceImport = documentImport('invoice', {
  invoice: 'R-1001',
  contact: 'Ada Traders',
  date: '2026-01-15',
  due_date: '2026-02-14',
  description: 'Green tea',
  quantity: '10',
  unit_price: '4.50',
})

export const billImport = documentImport('bill', {
  bill: '2026-771',
  contact: 'Paper and Ink',
  date: '2026-01-20',
  description: 'Printer paper',
  quantity: '4',
  unit_price: '6.90',
})

function documentImport(kind: Kind, example: Import['example']): Import {
  return {
    required: [kind, 'contact', 'description', 'unit_price'],
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
    example,
    steps: (rows, options) =>
      groupRows(rows, kind).map((lines) => ({
        rows: lines,
        async make(tx, context, actor) {
          const [head] = lines
          requireOneHead(lines, headColumns, kind)
          const about = await readCells({
            reference: () => requiredCell(head, kind),
            contactId: () => requiredContactCell(tx, actor, head, 'contact'),
          })
          const readings = []
          for (const row of lines) readings.push(await lineOf(tx, actor, row))
          const problems = [...about.problems, ...readings.flatMap((reading) => reading.problems)]
          if (problems.length === 0) await requireNew(tx, context, actor, kind, head, about.values)
          const values = {
            ...about.values,
            date: textCell(head, 'date'),
            dueDate: textCell(head, 'due_date'),
            currency: textCell(head, 'currency'),
            fxRate: textCell(head, 'fx_rate'),
            notes: textCell(head, 'notes'),
            lines: readings.map((reading) => reading.values),
          }
          return makeFrom({ values, problems }, 'document', (input) =>
            add(tx, context, actor, kind, head, validated(documentInput, input), options),
          )
        },
      })),
  }
}

async function add(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  kind: Kind,
  head: CsvRow,
  input: Parameters<typeof addDocument>[4],
  { isPosted, confirmsOldDate }: ImportOptions,
): Promise<{ readonly id: string }> {
  const isOwnNumber = isPosted && kind === 'invoice'
  const { reference, ...rest } = input
  const draft = await addDocument(tx, context, actor, kind, isOwnNumber ? rest : input)
  if (!isPosted) return draft
  const posting = { ...context, confirmsOldDate }
  const now = context.clock.now()
  if (!isOwnNumber) {
    const approvedBy = actor.kind === 'person' ? actor.personId : null
    return postDocument(tx, posting, actor, await lockForChange(tx, actor, draft.id, 'approve'), {
      verb: 'approve',
      changes: { approvedAt: now, approvedBy },
      fxRate: undefined,
    })
  }
  const ownNumber = await newNumber(tx, actor, kind, head, reference ?? '')
  return postDocument(tx, posting, actor, await lockForChange(tx, actor, draft.id, 'issue'), {
    verb: 'issue',
    // The customer got it from where it was issued.
    changes: { sentAt: now },
    fxRate: undefined,
    ownNumber,
  })
}

async function newNumber(
  tx: Tx,
  tenant: Tenant,
  kind: Kind,
  head: CsvRow,
  text: string,
): Promise<string> {
  const parsed = line(numberMax).safeParse(text)
  if (!parsed.success) throw new CellProblem(head, kind, `At most ${numberMax} characters.`)
  if (!(await findIdByNumber(tx, tenant, kind, parsed.data))) return parsed.data
  throw new CellProblem(head, kind, `Number ${parsed.data} is already in use.`)
}

// A file that is imported twice must not invoice everything twice.
async function requireNew(
  tx: Tx,
  { ids }: BooksContext,
  tenant: Tenant,
  kind: Kind,
  head: CsvRow,
  { reference, contactId }: { reference: string; contactId: string },
): Promise<void> {
  const same = { id: ids.uuid(), kind, contactId, reference } as const
  if (!(await findSameReference(tx, tenant, same))) return
  const a = kind === 'invoice' ? 'an invoice' : 'a bill'
  throw new CellProblem(head, kind, `There is already ${a} with the reference ${reference}.`)
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
