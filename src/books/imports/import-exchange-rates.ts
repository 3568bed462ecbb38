import { validated } from '../../kernel/operations/validate.ts'
import { addExchangeRate, exchangeRateInput } from '../currencies/set-exchange-rate.ts'
import { type Import, makeOnly, readCells } from './import.ts'
import { requiredCell } from './read-cells.ts'

export const exchangeRateImport: Import = {
  required: ['currency', 'date', 'rate'],
  optional: [],
  example: { currency: 'EUR', date: '2026-01-31', rate: '1.08' },
  steps: (rows) =>
    rows.map((row) => ({
      rows: [row],
      async make(tx, context, actor) {
        const reading = await readCells({
          currency: () => requiredCell(row, 'currency').toUpperCase(),
          date: () => requiredCell(row, 'date'),
          rate: () => requiredCell(row, 'rate'),
        })
        await makeOnly(reading, (values) =>
          addExchangeRate(tx, context, actor, validated(exchangeRateInput, values)),
        )
        // A rate that is replaced can't be restored, so an import of rates is not undone.
        return undefined
      },
    })),
}
