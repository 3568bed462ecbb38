import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { validated } from '../../kernel/operations/validate.ts'
import { contactInput } from '../contacts/contact.ts'
import { listContactIdsByName } from '../contacts/contact-store.ts'
import { addContact } from '../contacts/create-contact.ts'
import type { CsvRow } from './csv-table.ts'
import { CellProblem, type Import, makeFrom, readCells } from './import.ts'
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
  example: {
    name: 'Ada Traders',
    email: 'ada@example.com',
    is_customer: 'yes',
    is_supplier: 'no',
    payment_terms_days: '14',
  },
  key: 'name',
  steps: (rows) =>
    rows.map((row) => ({
      rows: [row],
      async make(tx, context, actor) {
        const reading = await readCells({
          name: () => newName(tx, actor, row),
          email: () => textCell(row, 'email'),
          phone: () => textCell(row, 'phone'),
          taxNumber: () => textCell(row, 'tax_number'),
          address: () => textCell(row, 'address'),
          isCustomer: () => yesOrNoCell(row, 'is_customer'),
          isSupplier: () => yesOrNoCell(row, 'is_supplier'),
          currency: () => textCell(row, 'currency'),
          paymentTermsDays: () => wholeNumberCell(row, 'payment_terms_days'),
          salesAccountId: () => accountCell(tx, actor, row, 'sales_account'),
          purchaseAccountId: () => accountCell(tx, actor, row, 'purchase_account'),
          salesTaxCodeId: () => taxCodeCell(tx, actor, row, 'sales_tax_code'),
          purchaseTaxCodeId: () => taxCodeCell(tx, actor, row, 'purchase_tax_code'),
        })
        return makeFrom(reading, 'contact', (values) =>
          addContact(tx, context, actor, context.ids.uuid(), validated(contactInput, values)),
        )
      },
    })),
}

// A file that is imported twice must not create everyone twice.
async function newName(tx: Tx, tenant: Tenant, row: CsvRow): Promise<string> {
  const name = requiredCell(row, 'name')
  if ((await listContactIdsByName(tx, tenant, name)).length === 0) return name
  throw new CellProblem(row, 'name', `There is already a contact named ${name}.`)
}
