// Posted documents, created directly, and what tests of settling look at: open items, postings, and
// that they agree.
import { expect } from 'vitest'
import type { Document } from '../../src/books/documents/document.ts'
import { isDebit, isSale } from '../../src/books/documents/document-status.ts'
import { findDocument, insertDocument } from '../../src/books/documents/document-store.ts'
import { booksInvariants } from '../../src/books/invariants.ts'
import { postEntry } from '../../src/books/journal/post-entry.ts'
import { convertMinor } from '../../src/books/payments/open-item.ts'
import { insertOpenItem } from '../../src/books/payments/open-item-store.ts'
import { assignNumber } from '../../src/books/settings/assign-number.ts'
import type { PersonActor, Role } from '../../src/kernel/auth/actor.ts'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { newBooks } from './documents.ts'
import type { World } from './world.ts'

export type SettlingBooks = {
  readonly tenant: Tenant
  readonly owner: PersonActor
  person(role: Role): PersonActor
  accountId(code: string): string
  contact(name?: string): Promise<string>
  document(wanted: WantedDocument): Promise<string>
  find(id: string): Promise<Document>
  // Amount and base amount that are open of a document or payment.
  open(id: string): Promise<readonly [bigint, bigint] | undefined>
  // The entries about something, as `kind date`, and below it account code, base amount, amount and
  // currency of each line.
  entries(sourceId: string): Promise<string[]>
  events(id: string): Promise<string[]>
  // Of a document or payment, the oldest first; those that were taken back too.
  allocations(id: string): Promise<string[]>
  // Throws unless open items, journal and documents agree.
  check(): Promise<void>
}

export type WantedDocument = {
  readonly kind?: Document['kind']
  readonly contactId: string
  readonly totalMinor: bigint
  readonly taxMinor?: bigint
  readonly currency?: string
  readonly fxRate?: string
  readonly date?: string
}

const controlCodes = { expense_claim: '2050', invoice: '1100', credit_note: '1100' } as const

export async function settlingBooks(world: World): Promise<SettlingBooks> {
  const made = await newBooks(world)
  const { context, database } = world
  const { businessId, environment, owner, person, account: accountId } = made
  const tenant = { businessId, environment }
  const { sql } = database
  let numbers = 0

  const contact = async (name = 'Acme') => (await made.contact({ name })).id

  const document = async (wanted: WantedDocument) => {
    const { kind = 'invoice', contactId, totalMinor, taxMinor = 0n } = wanted
    const { currency = 'EUR', fxRate = '1', date = '2026-01-10' } = wanted
    const id = context.ids.uuid()
    numbers += 1
    const now = context.clock.now()
    const base = (minor: bigint) => convertMinor(minor, currency, fxRate, 'EUR')
    const sign = isDebit(kind) ? 1n : -1n
    const control = accountId(kind in controlCodes ? controlCodes[kind as 'invoice'] : '2000')
    const row = {
      id,
      kind,
      status: isSale(kind) ? 'posted' : 'approved',
      number: `${kind}-${numbers}`,
      contactId,
      date,
      dueDate: date,
      reference: null,
      notes: null,
      currency,
      fxRate,
      fxRateStated: false,
      taxRounding: 'line',
      subtotalMinor: totalMinor - taxMinor,
      taxTotalMinor: taxMinor,
      totalMinor,
      paidMinor: 0n,
      creditedMinor: 0n,
      writtenOffMinor: 0n,
      createdByKind: 'system',
      createdBy: 'test',
      authorPersonId: null,
      submittedAt: null,
      approvedAt: null,
      approvedBy: null,
      postedAt: now,
      sentAt: null,
      voidedAt: null,
      returnReason: null,
      creditsDocumentId: null,
      createdAt: now,
      updatedAt: now,
      version: 1,
    } as const
    const baseMinor = sign * base(totalMinor)
    const line = (code: string, amountMinor: bigint, lineBaseMinor: bigint) => ({
      accountId: accountId(code),
      baseMinor: lineBaseMinor,
      currency,
      amountMinor,
      contactId,
      openItemId: null,
      taxCodeId: null,
      description: null,
    })
    const taxBase = -sign * base(taxMinor)
    await database.transaction(async (tx) => {
      const { numberPeriod, numberPosition } = await assignNumber(tx, tenant, kind, date)
      const numbered = { ...row, numberPeriod, numberPosition }
      await insertDocument(tx, tenant, numbered)
      await insertOpenItem(tx, tenant, {
        id,
        source: 'document',
        accountId: control,
        contactId,
        currency,
        date,
        dueDate: date,
        fxRate,
        amountMinor: sign * totalMinor,
        baseMinor,
        openMinor: sign * totalMinor,
        openBaseMinor: baseMinor,
      })
      await postEntry(tx, context, owner, {
        kind: `${kind}.issued`,
        sourceId: id,
        reversesSequence: null,
        date,
        description: row.number,
        lines: [
          {
            ...line(isSale(kind) ? '4000' : '6000', sign * totalMinor, baseMinor),
            accountId: control,
            openItemId: id,
          },
          line(
            isSale(kind) ? '4000' : '6000',
            -sign * (totalMinor - taxMinor),
            -baseMinor - taxBase,
          ),
          ...(taxMinor === 0n ? [] : [line('2100', -sign * taxMinor, taxBase)]),
        ],
      })
    })
    return id
  }

  return {
    tenant,
    owner,
    person,
    accountId,
    contact,
    document,
    async find(id) {
      const found = await findDocument(sql, tenant, id)
      if (!found) throw new Error('no such document')
      return found
    },
    async open(id) {
      const [row] = await sql<{ openMinor: bigint; openBaseMinor: bigint }[]>`
        select open_minor, open_base_minor
        from books.open_items
        where business_id = ${tenant.businessId}
          and id = ${id}`
      return row && [row.openMinor, row.openBaseMinor]
    },
    async entries(sourceId) {
      const rows = await sql<{ text: string }[]>`
        select
          entry.kind || ' ' || entry.date || case
            when entry.reverses_sequence is null then '' else ' reversing' end
          || string_agg(
            E'\n' || account.code || ' ' || line.base_minor || ' ' || line.amount_minor || ' '
              || line.currency,
            '' order by line.position
          ) as text
        from books.journal_entries as entry
        join books.journal_lines as line using (business_id, environment, sequence)
        join books.accounts as account
          on account.business_id = line.business_id
          and account.environment = line.environment
          and account.id = line.account_id
        where entry.business_id = ${tenant.businessId}
          and entry.source_id = ${sourceId}
        group by entry.sequence, entry.kind, entry.date, entry.reverses_sequence
        order by entry.sequence`
      return rows.map(({ text }) => text)
    },
    async events(id) {
      const rows = await sql<{ type: string }[]>`
        select type
        from kernel.events
        where business_id = ${tenant.businessId}
          and object_id = ${id}
        order by created_at, id`
      return rows.map(({ type }) => type)
    },
    async allocations(id) {
      const rows = await sql<{ id: string }[]>`
        select id
        from books.allocations
        where business_id = ${businessId}
          and ${id} in (debit_item_id, credit_item_id)
        order by created_at, id`
      return rows.map((row) => row.id)
    },
    check: () => checkSettling(world),
  }
}

// All but those of the way that leads into the books, which documents here have not gone.
export const settlingInvariants = booksInvariants.filter(({ id }) => !/^I14\.3\d/.test(id))

// Open items, journal, documents and allocations agree.
export async function checkSettling({ database: { sql }, context }: World): Promise<void> {
  for (const { id, title, violations } of settlingInvariants) {
    const found = await violations(sql, context.clock.now())
    expect(found, `${id}: ${title}`).toEqual([])
  }
}
