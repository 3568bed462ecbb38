import { createItem } from '../items/create-item.ts'
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
  steps: (rows) =>
    rows.map((row) => ({
      rows: [row],
      async make(context, actor) {
        const { sql } = context.database
        const reading = await readCells({
          code: () => requiredCell(row, 'code'),
          name: () => requiredCell(row, 'name'),
          description: () => textCell(row, 'description'),
          salesUnitPrice: () => textCell(row, 'sales_unit_price'),
          purchaseUnitPrice: () => textCell(row, 'purchase_unit_price'),
          salesAccountId: () => accountCell(sql, actor, row, 'sales_account'),
          purchaseAccountId: () => accountCell(sql, actor, row, 'purchase_account'),
          salesTaxCodeId: () => taxCodeCell(sql, actor, row, 'sales_tax_code'),
          purchaseTaxCodeId: () => taxCodeCell(sql, actor, row, 'purchase_tax_code'),
        })
        await makeFrom(reading, (values) => createItem(context, actor, values))
      },
    })),
}
