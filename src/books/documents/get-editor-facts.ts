// What the editor of documents and quotes offers and fills in: contacts, items, accounts, tax codes
// and rates, with the defaults that they bring.
import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { listAccounts } from '../accounts/account-store.ts'
import { controlSubtypes } from '../accounts/control-account.ts'
import { listContacts } from '../contacts/contact-store.ts'
import { defineOperation } from '../context.ts'
import { listRates } from '../currencies/exchange-rate-store.ts'
import { listItems } from '../items/item-store.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { listTaxCodes } from '../taxes/tax-code-store.ts'
import { documentSides } from './document-status.ts'

const ratesMax = 200

export type EditorFacts = {
  readonly baseCurrency: string
  readonly taxRounding: 'line' | 'document'
  readonly today: string
  readonly organisation: Defaults
  readonly contacts: readonly EditorContact[]
  readonly items: readonly EditorItem[]
  readonly accounts: readonly {
    readonly id: string
    readonly code: string
    readonly name: string
  }[]
  readonly taxCodes: readonly EditorTaxCode[]
  // The newest rate of each currency, as decimal text.
  readonly rates: Readonly<Record<string, string>>
}

type Defaults = { readonly accountId: string | null; readonly taxCodeId: string | null }

export type EditorContact = Defaults & {
  readonly id: string
  readonly name: string
  readonly currency: string | null
  readonly paymentTermsDays: number
}

export type EditorItem = Defaults & {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly description: string | null
  readonly unitPrice: string | null
}

export type EditorTaxCode = {
  readonly id: string
  readonly name: string
  readonly isInclusive: boolean
  readonly components: readonly {
    readonly name: string
    readonly rate: string
    readonly isCompound: boolean
  }[]
}

export const getEditorFacts = defineOperation({
  name: 'get-editor-facts',
  summary: 'List what a document can name, with the defaults that each brings',
  kind: 'read',
  input: z.strictObject({ side: z.enum(documentSides) }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, clock }, actor, { side }): Promise<EditorFacts> {
    const isSales = side === 'sales'
    const [organisation, contacts, items, accounts, taxCodes, rates] = await Promise.all([
      findOrganisation(sql, actor),
      listContacts(sql, actor, { type: isSales ? 'customer' : 'supplier' }),
      listItems(sql, actor),
      listAccounts(sql, actor),
      listTaxCodes(sql, actor),
      listRates(sql, actor, {}, ratesMax),
    ])
    const { baseCurrency, taxRounding } = organisation
    const defaultsOf = (one: SidedDefaults): Defaults =>
      isSales
        ? { accountId: one.salesAccountId, taxCodeId: one.salesTaxCodeId }
        : { accountId: one.purchaseAccountId, taxCodeId: one.purchaseTaxCodeId }
    return {
      baseCurrency,
      taxRounding,
      today: today(organisation, clock.now()),
      organisation: isSales
        ? {
            accountId: organisation.defaultSalesAccountId,
            taxCodeId: organisation.defaultSalesTaxCodeId,
          }
        : {
            accountId: organisation.defaultPurchaseAccountId,
            taxCodeId: organisation.defaultPurchaseTaxCodeId,
          },
      contacts: contacts
        .filter(({ active }) => active)
        .map(({ id, name, currency, paymentTermsDays, ...contact }) => ({
          ...{ id, name, currency, paymentTermsDays },
          ...defaultsOf(contact),
        })),
      items: items
        .filter(({ active }) => active)
        .map(({ id, code, name, description, ...item }) => ({
          ...{ id, code, name, description },
          unitPrice: isSales ? item.salesUnitPrice : item.purchaseUnitPrice,
          ...defaultsOf(item),
        })),
      accounts: accounts
        .filter(({ active, subtype }) => active && !controlSubtypes.includes(subtype))
        .map(({ id, code, name }) => ({ id, code, name })),
      taxCodes: taxCodes
        .filter(({ active }) => active)
        .map(({ id, name, isInclusive, components }) => ({ id, name, isInclusive, components })),
      // Newest first, so the first of a currency stays.
      rates: Object.fromEntries(rates.toReversed().map(({ currency, rate }) => [currency, rate])),
    }
  },
})

type SidedDefaults = {
  readonly salesAccountId: string | null
  readonly purchaseAccountId: string | null
  readonly salesTaxCodeId: string | null
  readonly purchaseTaxCodeId: string | null
}
