// A hundred invoices of one business, issued and half of them paid by the service's own operations,
// then copied by the database until there are as many as wanted.
import { listAccounts } from '../src/books/accounts/account-store.ts'
import { createContact } from '../src/books/contacts/create-contact.ts'
import type { BooksContext } from '../src/books/context.ts'
import { createDocument } from '../src/books/documents/create-document.ts'
import { issueDocument } from '../src/books/documents/issue-document.ts'
import { recordPayment } from '../src/books/payments/record-payment.ts'
import { listTaxCodes } from '../src/books/taxes/tax-code-store.ts'
import type { SystemActor } from '../src/kernel/auth/actor.ts'
import type { Tx } from '../src/kernel/db/database.ts'
import { Decimal, toText } from '../src/kernel/money/decimal.ts'
import { runOperation } from '../src/kernel/operations/run-operation.ts'
import { sumJournal } from './books-data.ts'

const originals = 100
const contacts = 20

// Returns the id of an invoice.
export async function insertManyDocuments(
  context: BooksContext,
  businessId: string,
  count: number,
): Promise<string> {
  const actor = { kind: 'system', name: 'bench', businessId, environment: 'live' } as const
  const ids = await insertOriginals(context, actor)
  await context.database.transaction((tx) => copyAll(tx, businessId, count / originals - 1))
  for (const table of [...copiedTables, 'account_days', 'account_months']) {
    await context.database.sql.unsafe(`vacuum analyze books.${table}`)
  }
  return ids.at(-1) ?? ''
}

async function insertOriginals(context: BooksContext, actor: SystemActor): Promise<string[]> {
  const { sql } = context.database
  const accounts = await listAccounts(sql, actor)
  const accountOf = (wanted: string) => accounts.find(({ code }) => code === wanted)?.id ?? ''
  const [taxCode] = await listTaxCodes(sql, actor)
  const customers: string[] = []
  for (let number = 0; number < contacts; number += 1) {
    const name = `Customer ${number}`
    customers.push((await runOperation(createContact, context, actor, { name })).id)
  }
  const ids: string[] = []
  for (let number = 0; number < originals; number += 1) {
    const line = {
      description: 'Work by the hour',
      quantity: String(1 + (number % 7)),
      unitPrice: String(125 + number),
      accountId: accountOf('4000'),
      taxCodeId: taxCode?.id,
    }
    const contactId = customers[number % contacts] ?? ''
    const date = new Date(context.clock.now().getTime() - (number * 3 + 1) * 86_400_000)
      .toISOString()
      .slice(0, 10)
    const { id } = await runOperation(createDocument, context, actor, {
      kind: 'invoice',
      contactId,
      date,
      lines: [line, line, line],
    })
    const issued = await runOperation(issueDocument, context, actor, { id })
    ids.push(id)
    if (number % 2 === 0) {
      const amount = toText(new Decimal(issued.totalMinor, 2))
      await runOperation(recordPayment, context, actor, {
        direction: 'in',
        contactId,
        date,
        currency: issued.currency,
        amount,
        accountId: accountOf('1000'),
        allocations: [{ itemId: id, amount }],
      })
    }
  }
  return ids
}

const copiedTables = [
  'documents',
  'document_lines',
  'invoice_pages',
  'open_items',
  'payments',
  'allocations',
  'journal_entries',
  'journal_lines',
]
// Ids of what is copied. All others stay: contacts, accounts and tax codes.
const copiedIds = [
  'id',
  'document_id',
  'public_id',
  'debit_item_id',
  'credit_item_id',
  'booked_with',
  'source_id',
  'open_item_id',
]

async function copyAll(tx: Tx, businessId: string, copies: number): Promise<void> {
  // Without triggers and foreign keys: copies of what they have checked.
  await tx`set local session_replication_role = replica`
  await tx`set local statement_timeout = 0`
  const columns = await tx<{ table: string; name: string }[]>`
    select table_name as table, column_name as name
    from information_schema.columns
    where table_schema = 'books' and table_name = any(${copiedTables})
    order by table_name, ordinal_position`
  for (const table of copiedTables) {
    const names = columns.filter((column) => column.table === table).map(({ name }) => name)
    const values = names.map(copiedValue)
    await tx.unsafe(
      `insert into books.${table} (${names.join(', ')})
      select ${values.join(', ')}
      from books.${table} as original
      cross join generate_series(1, ${copies}) as n
      where business_id = '${businessId}' and environment = 'live'`,
    )
  }
  await tx`delete from books.account_days where business_id = ${businessId}`
  await tx`delete from books.account_months where business_id = ${businessId}`
  await sumJournal(tx, businessId)
  await tx`
    update books.journal_heads
    set sequence = (
      select max(sequence)
      from books.journal_entries
      where business_id = ${businessId} and environment = 'live'
    )
    where business_id = ${businessId} and environment = 'live'`
}

// More than the originals have of either.
const step = 10_000

function copiedValue(name: string): string {
  if (copiedIds.includes(name)) return `md5(${name}::text || n)::uuid`
  if (name === 'number') return `number || '-' || n`
  if (['sequence', 'number_position', 'reverses_sequence'].includes(name)) {
    return `${name} + n * ${step}::bigint`
  }
  return `original.${name}`
}
