import { validated } from '../../kernel/operations/validate.ts'
import { addItem } from '../items/create-item.ts'
import { itemInput } from '../items/item.ts'
import { type Import, makeFrom, readCells } from './import.ts'
import { accountCell, requiredCell, taxCodeCell, textCell } from './read-cells.ts'

export const itemImport: Import = {
  required: ['code', 'name'],
  optional: [
    'description',
    'sales_unit_price',
    'purchase_unit_price',
    'sales_account',
    'purchase_account',
    'sales_tax_code',
    'purchase_tax_code',
  ],
  example: { code: 'TEA-1', name: 'Green tea', sales_unit_price: '4.50' },
  key: 'code',
  steps: (rows) =>
    rows.map((row) => ({
      rows: [row],
      async make(tx, context, actor) {
        const reading = await readCells({
          code: () => requiredCell(row, 'code'),
          name: () => requiredCell(row, 'name'),
          description: () => textCell(row, 'description'),
          salesUnitPrice: () => textCell(row, 'sales_unit_price'),
          purchaseUnitPrice: () => textCell(row, 'purchase_unit_price'),
          salesAccountId: () => accountCell(tx, actor, row, 'sales_account'),
          purchaseAccountId: () => accountCell(tx, actor, row, 'purchase_account'),
          salesTaxCodeId: () => taxCodeCell(tx, actor, row, 'sales_tax_code'),
          purchaseTaxCodeId: () => taxCodeCell(tx, actor, row, 'purchase_tax_code'),
        })
        return makeFrom(reading, 'item', (values) =>
          addItem(tx, context, actor, validated(itemInput, values)),
        )
      },
    })),
}
