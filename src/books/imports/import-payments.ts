// One row per payment. It can name the invoice or bill that it pays; what is more than that stays
// as a credit of the contact.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { toText } from '../../kernel/money/decimal.ts'
import { validated } from '../../kernel/operations/validate.ts'
import { type Document, majorUnits } from '../documents/document.ts'
import { findIdByNumber, listPostedIdsByReference } from '../documents/document-number-store.ts'
import { findDocument } from '../documents/document-store.ts'
import { minorOf } from '../input/amount-input.ts'
import { paymentInput } from '../payments/payment-input.ts'
import { addPayment } from '../payments/record-payment.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import type { CsvRow } from './csv-table.ts'
import { CellProblem, type Import, makeFrom, readCells } from './import.ts'
import { requiredAccountCell, requiredCell, requiredContactCell, textCell } from './read-cells.ts'

export const paymentImport: Import = {
  required: ['contact', 'date', 'amount', 'account'],
  optional: ['direction', 'currency', 'rate', 'base_amount', 'reference', 'invoice', 'bill'],
  example: {
    contact: 'Ada Traders',
    date: '2026-02-10',
    amount: '45.00',
    account: '1000',
    direction: 'in',
    invoice: 'R-1001',
  },
  steps: (rows, { confirmsOldDate }) =>
    rows.map((row) => ({
      rows: [row],
      async make(tx, context, actor) {
        const { baseCurrency } = await findOrganisation(tx, actor)
        const paid = await readCells({ document: () => paidDocument(tx, actor, row) })
        const { document } = paid.values
        const currency = textCell(row, 'currency') ?? document?.currency ?? baseCurrency
        const reading = await readCells({
          direction: () => directionOf(row),
          contactId: () => requiredContactCell(tx, actor, row, 'contact'),
          date: () => requiredCell(row, 'date'),
          amount: () => requiredCell(row, 'amount'),
          accountId: () => requiredAccountCell(tx, actor, row, 'account'),
          rate: () => textCell(row, 'rate'),
          baseAmount: () => textCell(row, 'base_amount'),
          reference: () => textCell(row, 'reference'),
        })
        const problems = [...paid.problems, ...reading.problems]
        const values = { ...reading.values, currency, confirmsOldDate }
        return makeFrom({ values, problems }, 'payment', (read) => {
          const input = validated(paymentInput, read)
          const allocations = document ? [useOf(document, input)] : []
          return addPayment(tx, context, actor, context.ids.uuid(), { ...input, allocations })
        })
      },
    })),
}

async function paidDocument(tx: Tx, tenant: Tenant, row: CsvRow): Promise<Document | undefined> {
  const invoice = textCell(row, 'invoice')
  const bill = textCell(row, 'bill')
  if (invoice !== undefined && bill !== undefined) {
    throw new CellProblem(row, 'bill', 'Name an invoice or a bill, not both.')
  }
  const text = invoice ?? bill
  if (text === undefined) return undefined
  const kind = invoice === undefined ? 'bill' : 'invoice'
  const named = await findIdByNumber(tx, tenant, kind, text)
  if (named !== undefined) return findDocument(tx, tenant, named)
  const [one, ...others] = await listPostedIdsByReference(tx, tenant, kind, text)
  if (one !== undefined && others.length === 0) return findDocument(tx, tenant, one)
  const message = one
    ? `Several ${kind}s have the reference ${text}. Use the number.`
    : `No ${kind} in the books has the number ${text}.`
  throw new CellProblem(row, kind, message)
}

function directionOf(row: CsvRow): 'in' | 'out' {
  const text = textCell(row, 'direction')?.toLowerCase()
  if (text === undefined) return textCell(row, 'bill') === undefined ? 'in' : 'out'
  if (text === 'in' || text === 'out') return text
  throw new CellProblem(row, 'direction', 'Must be in or out.')
}

function useOf(document: Document, { amount, currency }: { amount: string; currency: string }) {
  const { id, totalMinor, paidMinor, creditedMinor, writtenOffMinor } = document
  const dueMinor = totalMinor - paidMinor - creditedMinor - writtenOffMinor
  const isWithin = minorOf('amount', amount, currency) <= dueMinor || dueMinor <= 0n
  return { itemId: id, amount: isWithin ? amount : toText(majorUnits(dueMinor, document.currency)) }
}
