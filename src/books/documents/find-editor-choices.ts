// What a picker of the editor offers while a person types, and what a form names.
import { z } from 'zod'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { type DocumentSide, documentSides } from './document-status.ts'
import { defaultsOf, type EditorContact, type EditorItem } from './editor-choice.ts'
import {
  type ContactRow,
  type ItemRow,
  listContactChoices,
  listContactsNamed,
  listItemChoices,
  listItemsNamed,
} from './editor-choice-store.ts'

// More than a person looks through; they type on instead.
const offeredMax = 20

export type EditorChoices = {
  readonly contacts: readonly EditorContact[]
  readonly items: readonly EditorItem[]
}

export const findEditorChoices = defineOperation({
  name: 'find-editor-choices',
  summary: 'Find contacts or items that a document can name, by code or name',
  kind: 'read',
  input: z.strictObject({
    side: z.enum(documentSides),
    noun: z.enum(['contacts', 'items']),
    text: z.string().max(200),
  }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, { side, noun, text }): Promise<EditorChoices> {
    const wish = { text: text.trim(), limit: offeredMax }
    return noun === 'contacts'
      ? { contacts: await searchContacts(sql, actor, side, wish), items: [] }
      : { contacts: [], items: await searchItems(sql, actor, side, wish) }
  },
})

type Wish = { readonly text: string; readonly limit: number }

export async function searchContacts(sql: Sql, tenant: Tenant, side: DocumentSide, wish: Wish) {
  const rows = await listContactChoices(sql, tenant, { type: typeOf(side), ...wish })
  return rows.map((row) => contactOf(side, row))
}

export async function searchItems(sql: Sql, tenant: Tenant, side: DocumentSide, wish: Wish) {
  const rows = await listItemChoices(sql, tenant, wish)
  return rows.map((row) => itemOf(side, row))
}

// Each by its id, name or label.
export async function findNamedContacts(
  sql: Sql,
  tenant: Tenant,
  side: DocumentSide,
  names: readonly string[],
): Promise<EditorContact[]> {
  const { ids, texts } = sorted(names)
  const bare = texts.map((text) => text.replace(/ \([0-9a-f]{6}\)$/, ''))
  if (names.length === 0) return []
  const rows = await listContactsNamed(sql, tenant, typeOf(side), {
    ids,
    texts: [...texts, ...bare],
  })
  return rows.map((row) => contactOf(side, row))
}

export async function findNamedItems(
  sql: Sql,
  tenant: Tenant,
  side: DocumentSide,
  names: readonly string[],
): Promise<EditorItem[]> {
  if (names.length === 0) return []
  const rows = await listItemsNamed(sql, tenant, sorted(names))
  return rows.map((row) => itemOf(side, row))
}

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function sorted(names: readonly string[]) {
  return {
    ids: names.filter((name) => idPattern.test(name)),
    texts: names.filter((name) => !idPattern.test(name)).map((name) => name.trim().toLowerCase()),
  }
}

function typeOf(side: DocumentSide) {
  return side === 'sales' ? 'customer' : 'supplier'
}

function contactOf(side: DocumentSide, row: ContactRow): EditorContact {
  const { id, name, currency, paymentTermsDays, isShared } = row
  return { id, name, currency, paymentTermsDays, isShared, ...defaultsOf(side, row) }
}

function itemOf(side: DocumentSide, row: ItemRow): EditorItem {
  const { id, code, name, description } = row
  const unitPrice = side === 'sales' ? row.salesUnitPrice : row.purchaseUnitPrice
  return { id, code, name, description, unitPrice, ...defaultsOf(side, row) }
}
