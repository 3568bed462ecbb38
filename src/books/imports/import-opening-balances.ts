// One row an account. Each is tried by itself first, so that all problems are found; then all of
// them are posted as one entry.
import { invalid } from '../../kernel/basics/fault.ts'
import { postOpeningBalances } from '../journal/post-opening-balances.ts'
import type { CsvRow } from './csv-table.ts'
import { CellProblem, eachRow, type Import, type ImportStep } from './import.ts'
import { accountCell, textCell } from './read-cells.ts'

export const openingBalanceImport: Import = {
  required: ['account'],
  optional: ['debit', 'credit', 'currency', 'rate', 'base_amount', 'description'],
  steps(rows, { date }) {
    if (date === null) throw invalid('Say the day of the opening balances.')
    const step = (taken: readonly CsvRow[]): ImportStep => ({
      rows: taken,
      make: async (context, actor) => {
        const balances = await eachRow(taken, async (row) => {
          const accountId = await accountCell(context.database.sql, actor, row, 'account')
          if (accountId === undefined) throw new CellProblem(row, 'account', 'Must not be empty.')
          return {
            accountId,
            debit: textCell(row, 'debit'),
            credit: textCell(row, 'credit'),
            currency: textCell(row, 'currency'),
            rate: textCell(row, 'rate'),
            baseAmount: textCell(row, 'base_amount'),
            description: textCell(row, 'description'),
          }
        })
        return postOpeningBalances(context, actor, { date, balances })
      },
    })
    return [...rows.map((row) => ({ ...step([row]), isCheck: true })), step(rows)]
  },
}
