import { createAccount } from '../accounts/create-account.ts'
import { type Import, makeFrom, readCells } from './import.ts'
import { requiredCell, textCell } from './read-cells.ts'

export const accountImport: Import = {
  required: ['code', 'name', 'type', 'subtype'],
  optional: ['currency'],
  steps: (rows) =>
    rows.map((row) => ({
      rows: [row],
      async make(context, actor) {
        const reading = await readCells({
          code: () => requiredCell(row, 'code'),
          name: () => requiredCell(row, 'name'),
          // What these may be is checked with everything else.
          type: () => requiredCell(row, 'type') as never,
          subtype: () => requiredCell(row, 'subtype') as never,
          currency: () => textCell(row, 'currency'),
        })
        await makeFrom(reading, (values) => createAccount(context, actor, values))
      },
    })),
}
