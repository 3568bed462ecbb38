// One row per line; rows with the same text in `journal` are one manual journal.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { validated } from '../../kernel/operations/validate.ts'
import { journalInput, postJournal } from '../journal/post-manual-journal.ts'
import type { CsvRow } from './csv-table.ts'
import { groupRows, requireOneHead } from './group-rows.ts'
import { type Import, makeFrom, readCells } from './import.ts'
import { contactCell, requiredAccountCell, requiredCell, textCell } from './read-cells.ts'

export const journalImport: Import = {
  required: ['journal', 'date', 'description', 'account'],
  optional: ['text', 'debit', 'credit', 'currency', 'rate', 'base_amount', 'contact'],
  example: {
    journal: '1',
    date: '2026-01-31',
    description: 'Depreciation of January',
    account: '6000',
    debit: '120.00',
  },
  steps: (rows, { confirmsOldDate }) =>
    groupRows(rows, 'journal').map((lines) => ({
      rows: lines,
      async make(tx, context, actor) {
        const [head] = lines
        requireOneHead(lines, ['date', 'description'], 'journal')
        const about = await readCells({
          journal: () => requiredCell(head, 'journal'),
          date: () => requiredCell(head, 'date'),
          description: () => requiredCell(head, 'description'),
        })
        const readings = []
        for (const row of lines) readings.push(await lineOf(tx, actor, row))
        const { date, description } = about.values
        const values = { date, description, lines: readings.map((one) => one.values) }
        const problems = [...about.problems, ...readings.flatMap((one) => one.problems)]
        return makeFrom({ values, problems }, 'journal', (read) => {
          const input = validated(journalInput, { ...read, confirmsOldDate })
          return postJournal(tx, context, actor, context.ids.uuid(), input)
        })
      },
    })),
}

function lineOf(tx: Tx, tenant: Tenant, row: CsvRow) {
  return readCells({
    accountId: () => requiredAccountCell(tx, tenant, row, 'account'),
    debit: () => textCell(row, 'debit'),
    credit: () => textCell(row, 'credit'),
    currency: () => textCell(row, 'currency'),
    rate: () => textCell(row, 'rate'),
    baseAmount: () => textCell(row, 'base_amount'),
    contactId: () => contactCell(tx, tenant, row, 'contact'),
    description: () => textCell(row, 'text'),
  })
}
