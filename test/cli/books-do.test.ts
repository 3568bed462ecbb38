// The operations of the books at the terminal, from the first contact to the paid invoice.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it, vi } from 'vitest'
import { booksOperations } from '../../src/books/operations.ts'
import { doInBooks, showBooksOperations } from '../../src/cli/books-operation-commands.ts'
import { type Command, type CommandOptions, UsageError } from '../../src/cli/command.ts'
import { readSettings } from '../../src/config.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
let business: string

beforeAll(async () => {
  business = await world().business({ baseCurrency: 'EUR' })
})

async function print(command: Command, options: CommandOptions): Promise<string> {
  const printed: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed.push(String(chunk))
    return true
  })
  try {
    const settings = readSettings([])
    const people = () => Promise.reject(new Error('nobody is asked for'))
    await command.run(
      { context: world().context, settings, people, askSecrets: async () => [] },
      options,
    )
    return printed.join('')
  } finally {
    write.mockRestore()
  }
}

async function act(operation: string, input: object, options: CommandOptions = {}) {
  const text = JSON.stringify(input)
  const given = { business, operation, input: text, ...options }
  const printed = await print(doInBooks, given)
  return printed.startsWith('{') ? JSON.parse(printed) : printed
}

async function accountId(code: string): Promise<string> {
  const [row] = await world().database.sql<{ id: string }[]>`
    select id from books.accounts
    where business_id = ${business} and environment = 'live' and code = ${code}`
  return row?.id ?? ''
}

it('lists every operation with what it is for', async () => {
  const text = await print(showBooksOperations, {})
  for (const name of Object.keys(booksOperations)) expect(text).toContain(`${name} `)
})

it('enters, issues and books the payment of an invoice', async () => {
  const contact = await act('create-contact', { name: 'Ada', email: 'ada@example.com' })
  const line = { description: 'Widget', unit_price: '99.95', account_id: await accountId('4000') }
  const entered = await act('create-document', {
    kind: 'invoice',
    contact_id: contact.id,
    lines: [line],
  })
  const { id } = entered.document
  expect(await act('issue-document', { id })).toMatchObject({ status: 'posted', totalMinor: 9995 })
  await act('record-payment', {
    direction: 'in',
    contactId: contact.id,
    date: entered.document.date,
    currency: 'EUR',
    amount: '99.95',
    accountId: await accountId('1000'),
    allocations: [{ itemId: id, amount: '99.95' }],
  })
  const [row] = await world().database.sql`select status from books.documents where id = ${id}`
  expect(row).toEqual({ status: 'paid' })
})

it('reads its input from a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tillbook-do-'))
  const file = join(folder, 'lead.json')
  await writeFile(file, JSON.stringify({ name: 'Bea', currency: 'EUR' }))
  const given = { business, operation: 'create-lead', 'input-file': file }
  expect(JSON.parse(await print(doInBooks, given))).toMatchObject({ name: 'Bea', status: 'new' })
  await rm(folder, { recursive: true })
})

it('keeps to the sandbox when told to', async () => {
  const { id } = await act('create-lead', { name: 'Cleo', currency: 'EUR' }, { test: true })
  const [row] = await world().database.sql`select environment from books.leads where id = ${id}`
  expect(row).toEqual({ environment: 'test' })
})

it.each([
  ['an operation that is not there', { operation: 'cook-the-books' }, 'no such operation'],
  ['a name of every object', { operation: 'toString' }, 'no such operation'],
  ['text that is no JSON', { operation: 'create-lead', input: '{' }, 'is not JSON'],
  ['JSON that is no object', { operation: 'create-lead', input: '[]' }, 'must be a JSON object'],
  ['two inputs', { operation: 'create-lead', input: '{}', 'input-file': 'x' }, 'not both'],
])('refuses %s', async (_what, options, message) => {
  const refused = print(doInBooks, { business, ...options })
  await expect(refused).rejects.toThrow(UsageError)
  await expect(refused).rejects.toThrow(message)
})

it('says which field of the input is wrong', async () => {
  await expect(act('issue-document', { id: 'nonsense' })).rejects.toThrow(/id/)
  await expect(act('create-contact', { name: 'D', colour: 'red' })).rejects.toThrow(/colour/)
})

it('refuses a fee that is more than what was paid', async () => {
  const { id } = await act('create-contact', { name: 'Emil' })
  const told = { externalId: 'p-1', documentId: id, date: '2030-01-01', currency: 'EUR' }
  const refused = act('book-link-payment', { ...told, amount: '10.00', fee: '10.01' })
  await expect(refused).rejects.toThrow('Must not be more than the amount.')
})

it.each([
  'submit-document',
  'reopen-document',
  'discard-document',
  'mark-document-sent',
  'revise-quote',
  'invoice-quote',
])('%s takes nothing but an id, and says so', async (operation) => {
  const id = '0190a000-0000-7000-8000-000000000009'
  await expect(act(operation, { id, date: '2030-01-01' })).rejects.toThrow(/date.*Unknown field/)
  await expect(act(operation, { id })).rejects.toThrow(/No such/)
})
