// The operations of the books at the terminal, from the first contact to the paid invoice.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { booksOperations } from '../../src/books/operations/all-operations.ts'
import {
  doInBooks,
  showBooksOperations,
} from '../../src/cli/commands/books/books-operation-commands.ts'
import { type Command, type CommandOptions, UsageError } from '../../src/cli/core/command.ts'
import { faultText } from '../../src/cli/core/fault-text.ts'
import { readSettings } from '../../src/config.ts'
import { Fault } from '../../src/kernel/basics/fault.ts'
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
    const people = () => Promise.reject(new Error('no one is asked for'))
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

it('lists every operation with what it is for and what it is told', async () => {
  const text = await print(showBooksOperations, {})
  const withCommands = [
    ...['import-csv', 'export-journal', 'get-document-file', 'draw-sample-document'],
    ...['get-attachment', 'get-quote-file', 'draw-documents', 'export-documents'],
  ]
  for (const { name } of booksOperations.filter((one) => !withCommands.includes(one.name))) {
    expect(text).toMatch(new RegExp(`^${name}: .+\\n {4}.+`, 'm'))
  }
  expect(text).toContain(
    'remove-payment: Remove a payment\n    payment_id, date, [confirms_old_date]\n',
  )
  expect(text).toContain(
    '\n    name, components: [{name, rate, [is_compound, account_id]}], [is_inclusive, account_id]\n',
  )
  expect(text).toContain('list-tax-codes: List the tax codes\n    nothing\n')
})

it('is described in docs/books.md, field by field', async () => {
  const docs = await readFile('docs/books.md', 'utf8')
  const text = await print(showBooksOperations, {})
  const listed = [...text.matchAll(/^(\S+): .+\n {4}(.+)$/gm)]
  expect(listed.length).toBeGreaterThan(60)
  const rows = listed.map(([, name, input]) => `| ${name} | ${input} |`)
  expect(rows.filter((row) => !docs.includes(`\n${row}\n`))).toEqual([])
})

it('enters, issues and books the payment of an invoice', async () => {
  const contact = await act('create-contact', { name: 'Ada', email: 'ada@example.com' })
  const line = { description: 'Widget', unit_price: '99.95', account_id: await accountId('4000') }
  const entered = await act('create-document', {
    kind: 'invoice',
    contact_id: contact.id,
    lines: [line],
  })
  const { id } = entered
  expect(await act('issue-document', { id })).toMatchObject({ status: 'posted', total_minor: 9995 })
  await act('record-payment', {
    direction: 'in',
    contact_id: contact.id,
    date: entered.date,
    currency: 'EUR',
    amount: '99.95',
    account_id: await accountId('1000'),
    allocations: [{ item_id: id, amount: '99.95' }],
  })
  const [row] = await world().database.sql`select status from books.documents where id = ${id}`
  expect(row).toEqual({ status: 'paid' })
})

describe('with an idempotency key in its input', () => {
  const journal = async (amount = '10') => ({
    ...{ date: '2026-01-31', description: 'Rent', idempotency_key: 'rent-1' },
    lines: [
      { account_id: await accountId('6350'), debit: amount },
      { account_id: await accountId('2200'), credit: amount },
    ],
  })

  it('a repeat returns the first result, and another input is refused', async () => {
    const first = await act('post-manual-journal', await journal())
    expect(await act('post-manual-journal', await journal())).toEqual(first)
    await expect(act('post-manual-journal', await journal('11'))).rejects.toMatchObject({
      kind: 'conflict',
    })
  })

  it('a repeat creates one document and one contact, as in the API', async () => {
    const contact = { name: 'Once', idempotency_key: 'once' }
    const { id: contact_id } = await act('create-contact', contact)
    expect((await act('create-contact', { ...contact, name: 'Twice' })).id).toBe(contact_id)
    const lines = [{ description: 'Widget', unit_price: '1' }]
    const bill = { kind: 'bill', contact_id, lines, idempotency_key: 'once' }
    await act('update-contact', { id: contact_id, is_supplier: true })
    const first = await act('create-document', bill)
    expect(await act('create-document', bill)).toEqual(first)
    const { warnings: _, ...document } = first
    expect(await act('get-document', { id: first.id })).toEqual(document)
  })

  it('refuses a key that is none, and an operation that takes none', async () => {
    const long = { ...(await journal()), idempotency_key: 'x'.repeat(256) }
    await expect(act('post-manual-journal', long)).rejects.toThrow(/idempotency_key/)
    const lead = { name: 'Ada', currency: 'EUR', idempotency_key: 'one' }
    await expect(act('create-lead', lead)).rejects.toThrow(/idempotency_key.*Unknown field/)
  })
})

it('reads the journal on from an entry, and an entry by its number', async () => {
  const [debit, credit] = [await accountId('6350'), await accountId('2200')]
  for (const description of ['One', 'Two']) {
    const lines = [
      { account_id: debit, debit: '1' },
      { account_id: credit, credit: '1' },
    ]
    await act('post-manual-journal', { date: '2026-01-30', description, lines })
  }
  const newest = await act('list-journal-entries', { limit: 1 })
  expect(newest.entries).toMatchObject([{ description: 'Two' }])
  const older = await act('list-journal-entries', { limit: 1, before: newest.next_before })
  expect(older.entries).toMatchObject([{ description: 'One' }])
  const [{ sequence }] = older.entries
  for (const typed of [sequence, String(sequence)]) {
    const entry = await act('get-journal-entry', { sequence: typed })
    expect(entry).toMatchObject({ description: 'One', lines: [{}, {}] })
  }
  for (const typed of [0, 1.5, 'one']) {
    await expect(act('get-journal-entry', { sequence: typed })).rejects.toThrow(/sequence/)
  }
})

it('says that another contact has the name, and makes it all the same', async () => {
  const first = await act('create-contact', { name: 'Grace Hopper' })
  expect(first.warnings).toEqual([])
  const second = await act('create-contact', { name: 'grace hopper' })
  expect(second.warnings).toEqual([`There is another contact named grace hopper: ${first.id}.`])
  expect(second.id).not.toBe(first.id)
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

describe('what is wrong with the input is said', () => {
  const id = '0190a000-0000-7000-8000-000000000009'
  const told = async (operation: string, input: object) => {
    const error = await act(operation, input).catch((thrown: unknown) => thrown)
    return error instanceof Fault ? faultText(error).split('\n') : error
  }

  it('by the names that were typed', async () => {
    expect(await told('issue-document', { id: 'nonsense' })).toEqual(['id: Must be a UUID.'])
    expect(await told('create-contact', { name: 'D', paymentTerms: 3 })).toEqual([
      expect.stringMatching(/^paymentTerms: Unknown field\. Accepted: .*payment_terms_days/),
    ])
    expect(await told('create-contact', { name: 'D', payment_terms_days: -1 })).toEqual([
      expect.stringMatching(/^payment_terms_days: /),
    ])
  })

  it('with the name that is meant, and all at once', async () => {
    const input = { direction: 'in', contactId: id, allocations: [{ itemId: id, amount: '-1' }] }
    expect(await told('record-payment', input)).toEqual([
      'contact_id: Required.',
      'date: Required.',
      'currency: Required.',
      'amount: Required.',
      'account_id: Required.',
      'allocation 1, item_id: Required.',
      expect.stringMatching(/^allocation 1, amount: Must be a number/),
      expect.stringMatching(/^allocation 1, itemId: Unknown field\. Did you mean item_id\? Acc/),
      expect.stringMatching(/^contactId: Unknown field\. Did you mean contact_id\? Accepted: /),
    ])
  })

  it('with what to do about a number that is no text', async () => {
    const problems = await told('record-payment', { direction: 'in', amount: 100 })
    expect(problems).toContain('amount: Write it in quotes, such as "100.00".')
  })

  it('by the number of the line, as people count', async () => {
    const { id: contact_id } = await act('create-contact', { name: 'Fay' })
    const line = { description: 'Widget', unit_price: '1' }
    const lines = [line, { ...line, quantity: 'lots' }]
    const document = { kind: 'invoice', contact_id, lines }
    expect(await told('create-document', document)).toEqual([
      expect.stringMatching(/^line 2, quantity: Must be a number/),
    ])
    const named = { ...document, lines: [line, line, { ...line, account_id: id }] }
    expect(await told('create-document', named)).toEqual(['line 3, account_id: No such account.'])
  })

  it('also when the books refuse it, and not the schema', async () => {
    const journal = {
      date: '2030-01-31',
      description: 'Mine',
      lines: [
        { account_id: await accountId('6350'), debit: '1' },
        { account_id: id, credit: '1' },
      ],
    }
    expect(await told('post-manual-journal', journal)).toEqual([
      'line 2, account_id: No such account.',
    ])
    const opening = { date: '2030-01-31', balances: journal.lines.slice(1) }
    expect(await told('post-opening-balances', opening)).toEqual([
      'balance 1, account_id: No such account.',
    ])
    const wanted = { default_sales_account_id: id }
    expect(await told('update-organisation', wanted)).toEqual([
      'default_sales_account_id: No such account.',
    ])
  })

  it('of a field that every object has', async () => {
    const input = JSON.parse(`{"id": "${id}", "__proto__": 1, "constructor": 2}`)
    expect(await told('submit-document', input)).toEqual([
      '__proto__: Unknown field. Accepted: id.',
      'constructor: Unknown field. Accepted: id.',
    ])
  })
})

it('refuses a fee that is more than what was paid', async () => {
  const { id } = await act('create-contact', { name: 'Emil' })
  const told = { external_id: 'p-1', document_id: id, date: '2030-01-01', currency: 'EUR' }
  const refused = act('book-link-payment', { ...told, amount: '10.00', fee: '10.01' })
  await expect(refused).rejects.toThrow('Must not be more than the amount.')
})

it.each([
  'submit-document',
  'withdraw-document',
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
