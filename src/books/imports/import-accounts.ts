import { validated } from '../../kernel/operations/validate.ts'
import { accountInput } from '../accounts/account.ts'
import { addAccount } from '../accounts/create-account.ts'
import { type Import, makeFrom, readCells } from './import.ts'
import { requiredCell, textCell } from './read-cells.ts'

export const accountImport: Import = {
  required: ['code', 'name', 'type', 'subtype'],
  optional: ['currency'],
  example: { code: '4150', name: 'Workshops', type: 'income', subtype: 'revenue' },
  key: 'code',
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
        return makeFrom(reading, 'account', (values) =>
          addAccount(tx, context, actor, validated(accountInput, values)),
        )
      },
    })),
}
