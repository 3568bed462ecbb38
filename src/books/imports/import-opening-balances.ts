// One row per account. Each is tried separately first, so that all problems are found; then all of
// them are posted as one entry.
import { invalidField } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { validated } from '../../kernel/operations/validate.ts'
import { openingBalancesInput, postOpening } from '../journal/post-opening-balances.ts'
import type { CsvRow } from './csv-table.ts'
import { type Import, type ImportStep, makeFrom, readCells } from './import.ts'
import { requiredAccountCell, textCell } from './read-cells.ts'

export const openingBalanceImport: Import = {
  required: ['account'],
  optional: ['debit', 'credit', 'currency', 'rate', 'base_amount', 'description'],
  example: { account: '1000', debit: '2500.00' },
  steps(rows, { date, confirmsOldDate }) {
    if (date === null) throw invalidField('date', 'Enter the day of the opening balances.')
    const step = (taken: readonly CsvRow[]): ImportStep => ({
      rows: taken,
      async make(tx, context, actor) {
        const readings = []
        for (const row of taken) readings.push(await balanceOf(tx, actor, row))
        const reading = {
          values: readings.map(({ values }) => values),
          problems: readings.flatMap(({ problems }) => problems),
        }
        return makeFrom(reading, 'journal', (balances) =>
          postOpening(
            tx,
            context,
            actor,
            context.ids.uuid(),
            validated(openingBalancesInput, { date, balances, confirmsOldDate }),
          ),
        )
      },
    })
    return [...rows.map((row) => ({ ...step([row]), isCheck: true })), step(rows)]
  },
}

function balanceOf(tx: Tx, tenant: Tenant, row: CsvRow) {
  return readCells({
    accountId: () => requiredAccountCell(tx, tenant, row, 'account'),
    debit: () => textCell(row, 'debit'),
    credit: () => textCell(row, 'credit'),
    currency: () => textCell(row, 'currency'),
    rate: () => textCell(row, 'rate'),
    baseAmount: () => textCell(row, 'base_amount'),
    description: () => textCell(row, 'description'),
  })
}
