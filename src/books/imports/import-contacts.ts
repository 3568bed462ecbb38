import { listContactIdsByName } from '../contacts/contact-store.ts'
import { createContactInApplication } from '../contacts/create-contact.ts'
import { CellProblem, type Import } from './import.ts'
import {
  accountCell,
  requiredCell,
  taxCodeCell,
  textCell,
  wholeNumberCell,
  yesOrNoCell,
} from './read-cells.ts'

export const contactImport: Import = {
  required: ['name'],
  optional: [
    'email',
    'phone',
    'tax_number',
    'address',
    'is_customer',
    'is_supplier',
    'currency',
    'payment_terms_days',
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
        const name = requiredCell(row, 'name')
        // A file that is taken twice must not make everybody twice.
        if ((await listContactIdsByName(sql, actor, name)).length > 0) {
          throw new CellProblem(row, 'name', `There is a contact named ${name} already.`)
        }
        return createContactInApplication(context, actor, {
          name,
          email: textCell(row, 'email'),
          phone: textCell(row, 'phone'),
          taxNumber: textCell(row, 'tax_number'),
          address: textCell(row, 'address'),
          isCustomer: yesOrNoCell(row, 'is_customer'),
          isSupplier: yesOrNoCell(row, 'is_supplier'),
          currency: textCell(row, 'currency'),
          paymentTermsDays: wholeNumberCell(row, 'payment_terms_days'),
          salesAccountId: await accountCell(sql, actor, row, 'sales_account'),
          purchaseAccountId: await accountCell(sql, actor, row, 'purchase_account'),
          salesTaxCodeId: await taxCodeCell(sql, actor, row, 'sales_tax_code'),
          purchaseTaxCodeId: await taxCodeCell(sql, actor, row, 'purchase_tax_code'),
        })
      },
    })),
}
