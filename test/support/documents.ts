// Books with people, and short factories for documents.

import type { z } from 'zod'
import { createContact } from '../../src/books/contacts/create-contact.ts'
import { setExchangeRate } from '../../src/books/currencies/set-exchange-rate.ts'
import { createDocument } from '../../src/books/documents/create-document.ts'
import { type DocumentKind, isSale } from '../../src/books/documents/document-status.ts'
import { createItem } from '../../src/books/items/create-item.ts'
import { createTaxCode } from '../../src/books/taxes/create-tax-code.ts'
import type { PersonActor, Role } from '../../src/kernel/auth/actor.ts'
import type { Environment } from '../../src/kernel/basics/tenant.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import type { World } from './world.ts'

type ContactInput = Partial<z.input<typeof createContact.input>>
type ItemInput = Partial<z.input<typeof createItem.input>>
export type DocumentForm = Omit<z.input<typeof createDocument.input>, 'kind'>

export type Books = Awaited<ReturnType<typeof newBooks>>

export async function newBooks(
  world: World,
  options: { businessId?: string; environment?: Environment; baseCurrency?: string } = {},
) {
  const { context } = world
  const { sql } = world.database
  const environment = options.environment ?? 'live'
  const businessId =
    options.businessId ?? (await world.business({ baseCurrency: options.baseCurrency ?? 'EUR' }))
  const tenant = { businessId, environment }
  const person = (role: Role): PersonActor => {
    return { kind: 'person', personId: context.ids.uuid(), role, ...tenant }
  }
  const owner = person('owner')
  const accounts = new Map<string, string>()
  const rows = await sql<{ code: string; id: string }[]>`
    select code, id
    from books.accounts
    where business_id = ${businessId}
      and environment = ${environment}`
  for (const { code, id } of rows) accounts.set(code, id)
  let made = 0
  const contact = (input: ContactInput = {}) => {
    made += 1
    const name = `Contact ${made}`
    return runOperation(createContact, context, owner, { name, isSupplier: true, ...input })
  }
  return {
    ...tenant,
    owner,
    person,
    account(code: string): string {
      const id = accounts.get(code)
      if (!id) throw new Error(`no account ${code}`)
      return id
    },
    contact,
    item: (input: ItemInput = {}) => {
      made += 1
      return runOperation(createItem, context, owner, {
        code: `I${made}`,
        name: `Item ${made}`,
        ...input,
      })
    },
    taxCode: (rate: string, input: Partial<z.input<typeof createTaxCode.input>> = {}) => {
      made += 1
      const components = [{ name: 'VAT', rate }]
      return runOperation(createTaxCode, context, owner, {
        name: `Tax ${made}`,
        components,
        ...input,
      })
    },
    rate: (currency: string, date: string, rate: string) =>
      runOperation(setExchangeRate, context, owner, { currency, date, rate }),
    async set(columns: Record<string, string | number | boolean | null>) {
      await sql`
        update books.organisations
        set ${sql(columns)}
        where business_id = ${businessId}
          and environment = ${environment}`
    },
    // A draft of one line of 100 on account 4000 (or 6300), for its own contact.
    async draft(kind: DocumentKind = 'invoice', input: Partial<DocumentForm> = {}, by = owner) {
      const accountId = accounts.get(isSale(kind) ? '4000' : '6300')
      const contactId = input.contactId ?? (await contact()).id
      const line = { description: 'Work', unitPrice: '100', accountId }
      const form = { kind, contactId, lines: [line], ...input }
      return runOperation(createDocument, context, by, form)
    },
    key: async (scopes?: readonly string[]) =>
      (await world.key({ service: 'books', ...tenant, ...(scopes && { scopes: [...scopes] }) }))
        .text,
  }
}
