import { createAccount } from '../accounts/create-account.ts'
import type { Import } from './import.ts'
import { requiredCell, textCell } from './read-cells.ts'

export const accountImport: Import = {
  required: ['code', 'name', 'type', 'subtype'],
  optional: ['currency'],
  steps: (rows) =>
    rows.map((row) => ({
      rows: [row],
      make: async (context, actor) =>
        createAccount(context, actor, {
          code: requiredCell(row, 'code'),
          name: requiredCell(row, 'name'),
          // What they may be is checked with everything else.
          type: requiredCell(row, 'type') as never,
          subtype: requiredCell(row, 'subtype') as never,
          currency: textCell(row, 'currency'),
        }),
    })),
}
