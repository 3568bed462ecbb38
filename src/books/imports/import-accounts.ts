import { validated } from '../../kernel/operations/validate.ts'
import { accountInput } from '../accounts/account.ts'
import { addAccount } from '../accounts/create-account.ts'
import { type Import, makeFrom, readCells } from './import.ts'
import { requiredCell, textCell } from './read-cells.ts'

export const accountImport: Import = {
  required: ['code', 'name', 'type', 'subtype'],
  optional: ['currency'],
  steps: (rows) =>
    rows.map((row) => ({
      rows: [row],
      async make(tx, context, actor) {
        const reading = await readCells({
          code: () => requiredCell(row, 'code'),
          name: () => requiredCell(row, 'name'),
          type: () => requiredCell(row, 'type'),
          subtype: () => requiredCell(row, 'subtype'),
          currency: () => textCell(row, 'currency'),
        })
        await makeFrom(reading, (values) =>
          addAccount(tx, context, actor, validated(accountInput, values)),
        )
      },
    })),
}
