import { validated } from '../../kernel/operations/validate.ts'
import { addExchangeRate, exchangeRateInput } from '../currencies/set-exchange-rate.ts'
import { type Import, makeFrom, readCells } from './import.ts'
import { requiredCell } from './read-cells.ts'

export const exchangeRateImport: Import = {
  required: ['currency', 'date', 'rate'],
  optional: [],
  steps: (rows) =>
    rows.map((row) => ({
      rows: [row],
      async make(tx, context, actor) {
        const reading = await readCells({
          currency: () => requiredCell(row, 'currency').toUpperCase(),
          date: () => requiredCell(row, 'date'),
          rate: () => requiredCell(row, 'rate'),
        })
        await makeFrom(reading, (values) =>
          addExchangeRate(tx, context, actor, validated(exchangeRateInput, values)),
        )
      },
    })),
}
