// Receipts of payments as PDF, drawn with the tools of the books.
import type { BooksContext } from '../books/context.ts'
import { logoOf } from '../books/documents/build-snapshot.ts'
import { drawReportPdf } from '../books/documents/pdf/drawing.ts'
import type { PrintedReport, PrintedRow } from '../books/documents/pdf/printed-report.ts'
import type { PrintedReceipt } from '../merchant/receipts/printed-receipt.ts'
import type { DrawReceipt } from '../merchant/receipts/receipt-pages.tsx'

export function receiptFiles(context: BooksContext): DrawReceipt {
  return (tenant, receipt, signal) => drawReportPdf(context, tenant, printed(receipt), { signal })
}

function printed(receipt: PrintedReceipt): PrintedReport {
  const { title, lead, merchantName, brand, items, refunds, facts, note, words } = receipt
  return {
    title,
    lead,
    facts: [],
    isSandbox: false,
    printedAt: receipt.changedAt.toISOString(),
    organisation: {
      name: merchantName,
      address: null,
      taxNumber: null,
      email: brand.contactEmail,
      phone: brand.contactPhone,
      website: brand.websiteUrl,
    },
    brand: { colour: brand.colour, logo: logoOf(brand) },
    words,
    tables: [
      {
        heading: null,
        columns: items.head.map((label, index) => columnOf(label, index)),
        rows: items.rows.map(({ cells, isTotal }) => ({
          look: isTotal ? 'result' : 'line',
          cells,
        })),
      },
      ...(refunds.rows.length === 0
        ? []
        : [{ heading: refunds.heading, columns: pair, rows: lastIsTotal(refunds.rows) }]),
      { heading: null, columns: pair, rows: facts.map((cells) => ({ look: 'line', cells })) },
    ],
    note,
  }
}

const pair: PrintedReport['tables'][number]['columns'] = [columnOf('', 0), columnOf('', 1)]

function columnOf(label: string, index: number) {
  return { label, kind: index === 0 ? ('rest' as const) : ('figure' as const) }
}

function lastIsTotal(rows: readonly (readonly string[])[]): PrintedRow[] {
  return rows.map((cells, index) => ({
    look: index === rows.length - 1 ? 'result' : 'line',
    cells,
  }))
}
