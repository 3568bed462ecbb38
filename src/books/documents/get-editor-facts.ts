// What the editor of documents and quotes offers and fills in: contacts, items, accounts, tax codes
// and rates, with the defaults that they bring.
import { z } from 'zod'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { listAccounts } from '../accounts/account-store.ts'
import { controlSubtypes } from '../accounts/control-account.ts'
import { listMergedInto } from '../contacts/merged-contact-store.ts'
import { defineOperation } from '../context.ts'
import { type ExchangeRate, listRates } from '../currencies/exchange-rate-store.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { listTaxCodes } from '../taxes/tax-code-store.ts'
import { type DocumentSide, documentSides } from './document-status.ts'
import type { Defaults, EditorContact, EditorItem, EditorTaxCode } from './editor-choice.ts'
import {
  findNamedContacts,
  findNamedItems,
  searchContacts,
  searchItems,
} from './find-editor-choices.ts'

// A year of working days of two currencies. The rate of an older day is not shown while one types.
const ratesMax = 500
// Offered at once. A business with more looks them up while a person types.
const offeredMax = 50
// What is similar to a text that names nothing.
const similarMax = 10
const textsMax = 5

export type EditorFacts = {
  readonly baseCurrency: string
  readonly taxRounding: 'line' | 'document'
  readonly today: string
  readonly organisation: Defaults
  // Some of them: the first, and those that the form names.
  readonly contacts: readonly EditorContact[]
  // Those that were merged into others, which a draft may still name.
  readonly mergedContacts: Readonly<Record<string, string>>
  readonly items: readonly EditorItem[]
  // Whether these are all.
  readonly hasAll: { readonly contacts: boolean; readonly items: boolean }
  readonly accounts: readonly {
    readonly id: string
    readonly code: string
    readonly name: string
  }[]
  readonly taxCodes: readonly EditorTaxCode[]
  // The rates of each currency as decimal text, the newest first.
  readonly rates: Readonly<Record<string, readonly KnownRate[]>>
  // All rates from this day on are known; null if all are.
  readonly ratesSince: string | null
}

// The rate applies from the day on.
export type KnownRate = readonly [day: string, rate: string]

export const getEditorFacts = defineOperation({
  name: 'get-editor-facts',
  summary: 'List what a document can name, with the defaults that each brings',
  kind: 'read',
  input: z.strictObject({
    side: z.enum(documentSides),
    // What the form names, by id, code or name.
    contacts: z.array(z.string()).max(1000).default([]),
    items: z.array(z.string()).max(1000).default([]),
  }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, clock }, actor, { side, ...named }): Promise<EditorFacts> {
    const isSales = side === 'sales'
    const [organisation, contacts, merged, items, accounts, taxCodes, rates] = await Promise.all([
      findOrganisation(sql, actor),
      findContacts(sql, actor, side, named.contacts),
      listMergedInto(sql, actor),
      findItems(sql, actor, side, named.items),
      listAccounts(sql, actor),
      listTaxCodes(sql, actor),
      listRates(sql, actor, {}, ratesMax),
    ])
    const { baseCurrency, taxRounding } = organisation
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
      contacts: contacts.found,
      mergedContacts: Object.fromEntries(merged.map(({ id, mergedInto }) => [id, mergedInto])),
      items: items.found,
      hasAll: { contacts: contacts.isAll, items: items.isAll },
      accounts: accounts
        .filter(({ active, subtype }) => active && !controlSubtypes.includes(subtype))
        .map(({ id, code, name }) => ({ id, code, name })),
      taxCodes: taxCodes
        .filter(({ active }) => active)
        .map(({ id, name, isInclusive, components }) => ({ id, name, isInclusive, components })),
      rates: ratesByCurrency(rates),
      ratesSince: rates.length < ratesMax ? null : (rates.at(-1)?.date ?? null),
    }
  },
})

function ratesByCurrency(rates: readonly ExchangeRate[]): EditorFacts['rates'] {
  const byCurrency: Record<string, KnownRate[]> = {}
  for (const { currency, date, rate } of rates) {
    byCurrency[currency] ??= []
    byCurrency[currency].push([date, rate])
  }
  return byCurrency
}

// The first, those that are named, and what is similar to a name that no one has.
async function findContacts(
  sql: Sql,
  tenant: Tenant,
  side: DocumentSide,
  names: readonly string[],
) {
  const [first, exact] = await Promise.all([
    searchContacts(sql, tenant, side, { text: '', limit: offeredMax + 1 }),
    findNamedContacts(sql, tenant, side, names),
  ])
  const unknown = names.filter((name) => !exact.some((one) => isNamed(name, one.id, one.name)))
  const similar = await searchSimilar(unknown, (wish) => searchContacts(sql, tenant, side, wish))
  return together(first, [...exact, ...similar])
}

async function findItems(sql: Sql, tenant: Tenant, side: DocumentSide, names: readonly string[]) {
  const [first, exact] = await Promise.all([
    searchItems(sql, tenant, side, { text: '', limit: offeredMax + 1 }),
    findNamedItems(sql, tenant, side, names),
  ])
  const unknown = names.filter(
    (name) =>
      !exact.some(
        ({ id, code, name: own }) =>
          isNamed(name, id, code) || isNamed(name, id, own) || isNamed(name, id, `${code} ${own}`),
      ),
  )
  const similar = await searchSimilar(unknown, (wish) => searchItems(sql, tenant, side, wish))
  return together(first, [...exact, ...similar])
}

function isNamed(name: string, id: string, text: string): boolean {
  return name === id || name.trim().toLowerCase() === text.toLowerCase()
}

async function searchSimilar<Noun>(
  texts: readonly string[],
  search: (wish: { text: string; limit: number }) => Promise<Noun[]>,
): Promise<Noun[]> {
  const some = texts.map((text) => text.trim()).filter((text) => text !== '')
  const found = await Promise.all(
    some.slice(0, textsMax).map((text) => search({ text, limit: similarMax })),
  )
  return found.flat()
}

function together<Noun extends { readonly id: string }>(first: Noun[], others: Noun[]) {
  const isAll = first.length <= offeredMax
  const byId = new Map([...first.slice(0, offeredMax), ...others].map((noun) => [noun.id, noun]))
  return { isAll, found: [...byId.values()] }
}
