import { beforeEach, describe, expect, it } from 'vitest'
import type { ImportName } from '../../../src/books/imports/import.ts'
import { importCsv } from '../../../src/books/imports/import-csv.ts'
import { createTaxCode } from '../../../src/books/taxes/create-tax-code.ts'
import type { PersonActor, Role } from '../../../src/kernel/auth/actor.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let businessId: string

beforeEach(async () => {
  businessId = await world().business()
})

const person = (role: Role): PersonActor => ({
  kind: 'person',
  personId: '0190a000-0000-7000-8000-000000000001',
  role,
  businessId,
  environment: 'live',
})

function take(name: ImportName, text: string, isTrial = false, date: string | null = null) {
  const bytes = Buffer.from(text, 'utf8')
  return runOperation(importCsv, world().context, person('admin'), { name, bytes, isTrial, date })
}

async function count(table: string): Promise<number> {
  const { sql } = world().database
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from ${sql(table)} where business_id = ${businessId}`
  return row?.count ?? 0
}

describe('contacts', () => {
  const file =
    'name,email,is_supplier,payment_terms_days,currency,sales_account\n' +
    'Ada,ada@example.com,yes,14,USD,4100\n' +
    'Bert,,,,,\n'

  it('are made by the same operation that people use, with their events', async () => {
    const report = await take('contacts', file)
    expect(report).toEqual({ rows: 2, made: 2, problems: [], isKept: true })
    const rows = await world().database.sql`
      select
        contact.name, is_customer, is_supplier, payment_terms_days, contact.currency, account.code
      from books.contacts as contact
      left join books.accounts as account on account.id = contact.sales_account_id
      where contact.business_id = ${businessId}
      order by contact.name`
    const defaults = { isCustomer: true, isSupplier: false, paymentTermsDays: 30 }
    expect(rows).toEqual([
      {
        ...defaults,
        name: 'Ada',
        isSupplier: true,
        paymentTermsDays: 14,
        currency: 'USD',
        code: '4100',
      },
      { ...defaults, name: 'Bert', currency: null, code: null },
    ])
    expect(await count('kernel.events')).toBe(2)
  })

  it('are tried without a trace', async () => {
    const report = await take('contacts', file, true)
    expect(report).toEqual({ rows: 2, made: 2, problems: [], isKept: false })
    expect(await count('books.contacts')).toBe(0)
    expect(await count('kernel.events')).toBe(0)
  })

  it('are all refused for the sake of one, and every problem is listed by row', async () => {
    const report = await take(
      'contacts',
      'name,email,is_supplier,payment_terms_days,currency,sales_account,sales_tax_code\n' +
        'Ada,ada@example.com,,,,,\n' +
        ',no-one@example.com,,,,,\n' +
        'Cleo,not an address,,,,,\n' +
        'Dora,,perhaps,,,,\n' +
        'Emil,,,soon,,,\n' +
        'Fred,,,,usd,,\n' +
        'Gina,,,,,9999,\n' +
        'Hugo,,,,,1100,\n' +
        'Ines,,,,,,No such tax\n' +
        'ada,,,,,,\n',
    )
    expect(report.isKept).toBe(false)
    expect(report.problems).toEqual([
      { row: 3, column: 'name', message: 'Must not be empty.' },
      { row: 4, column: 'email', message: 'Must be an e-mail address.' },
      { row: 5, column: 'is_supplier', message: 'Must be yes or no.' },
      { row: 6, column: 'payment_terms_days', message: 'Must be a whole number.' },
      { row: 7, column: 'currency', message: 'Must be an ISO 4217 code in upper case.' },
      { row: 8, column: 'sales_account', message: 'No account has the code 9999.' },
      {
        row: 9,
        column: 'sales_account',
        message: 'Only documents and payments post to a control account.',
      },
      { row: 10, column: 'sales_tax_code', message: 'No tax code has the name No such tax.' },
      { row: 11, column: 'name', message: 'There is already a contact named ada.' },
    ])
    expect(await count('books.contacts')).toBe(0)
    expect(await count('kernel.events')).toBe(0)
  })

  it('are told of everything that is wrong with a row at once', async () => {
    const head = 'name,is_supplier,currency,email,sales_account\n'
    const { problems } = await take('contacts', `${head},perhaps,ZZZ,no one,9999\n`)
    expect(problems.map(({ row, column }) => [row, column])).toEqual([
      [2, 'name'],
      [2, 'is_supplier'],
      [2, 'sales_account'],
      [2, 'email'],
      [2, 'currency'],
    ])
  })

  it('are not taken a second time', async () => {
    await take('contacts', file)
    const { problems } = await take('contacts', file)
    expect(problems.map(({ message }) => message)).toEqual([
      'There is already a contact named Ada.',
      'There is already a contact named Bert.',
    ])
    expect(await count('books.contacts')).toBe(2)
  })
})

describe('items', () => {
  it('keep their prices exactly, and name accounts and tax codes', async () => {
    const components = [{ name: 'VAT', rate: '20', isCompound: false }]
    const code = { name: 'VAT 20', isInclusive: false, components }
    await runOperation(createTaxCode, world().context, person('admin'), code)
    const report = await take(
      'items',
      'code;name;sales_unit_price;sales_account;sales_tax_code\nW-1;Widget;0.123456;4000;VAT 20\n',
    )
    expect(report.problems).toEqual([])
    const rows = await world().database.sql`
      select code, name, sales_unit_price
      from books.items
      where business_id = ${businessId}`
    expect(rows).toEqual([{ code: 'W-1', name: 'Widget', salesUnitPrice: '0.123456' }])
  })

  it('with the same code are refused, in the file too', async () => {
    const { problems } = await take('items', 'code,name\nA,One\nA,Two\n')
    expect(problems).toEqual([
      { row: 3, column: null, message: 'There is already an item with the code A.' },
    ])
  })
})

describe('accounts', () => {
  const head = 'code,name,type,subtype\n'

  it('join the chart', async () => {
    const report = await take('accounts', `${head}4200,Consulting,income,sales\n`)
    expect(report).toEqual({ rows: 1, made: 1, problems: [], isKept: true })
    const rows = await world().database.sql`
      select name, type, subtype, is_system
      from books.accounts
      where business_id = ${businessId}
        and environment = 'live'
        and code = '4200'`
    const account = { name: 'Consulting', type: 'income', subtype: 'sales', isSystem: false }
    expect(rows).toEqual([account])
  })

  it('say what is wrong with each row', async () => {
    const text = `${head}4000,Twice,income,sales\n4300,Odd,cash,sales\n4301,Odd,income,bank\n`
    const { problems, isKept } = await take('accounts', text)
    expect(isKept).toBe(false)
    expect(problems.map(({ row, column }) => [row, column])).toEqual([
      [2, null],
      [3, 'type'],
      [4, 'type'],
    ])
  })
})

describe('opening balances', () => {
  const day = '2026-01-01'

  it('become one entry against the opening balance equity', async () => {
    const text = 'account,debit,credit\n1000,1500.50,\n2700,,1000\n'
    const report = await take('opening-balances', text, false, day)
    expect(report).toEqual({ rows: 2, made: 1, problems: [], isKept: true })
    const lines = await world().database.sql`
      select account.code, line.base_minor, line.date
      from books.journal_lines as line
      join books.accounts as account on account.id = line.account_id
      where line.business_id = ${businessId}
      order by account.code`
    expect(lines).toEqual([
      { code: '1000', baseMinor: 150_050n, date: day },
      { code: '2700', baseMinor: -100_000n, date: day },
      { code: '3900', baseMinor: -50_050n, date: day },
    ])
  })

  it('say what is wrong with each row, and post nothing', async () => {
    const text = 'account,debit,credit\n1000,10,\n1100,5,\n9999,5,\n1010,,\n1050,x,\n'
    const report = await take('opening-balances', text, false, day)
    expect(report.isKept).toBe(false)
    expect(report.problems).toEqual([
      { row: 3, column: 'account', message: expect.stringContaining('Enter each open invoice') },
      { row: 4, column: 'account', message: 'No account has the code 9999.' },
      { row: 5, column: 'debit', message: 'Enter a debit or a credit.' },
      { row: 6, column: 'debit', message: expect.stringContaining('Must be') },
    ])
    expect(await count('books.journal_entries')).toBe(0)
  })

  it('leave no trace of a trial, and need a day', async () => {
    const text = 'account,debit\n1000,10\n'
    expect(await take('opening-balances', text, true, day)).toMatchObject({ problems: [] })
    expect(await count('books.journal_entries')).toBe(0)
    await expect(take('opening-balances', text)).rejects.toThrow('Enter the day')
  })
})

describe('invoices', () => {
  beforeEach(() => take('contacts', 'name\nAda\n'))
  const head = 'invoice,contact,date,description,quantity,unit_price,account\n'

  it('become drafts, a line for each row, with the reference of the file', async () => {
    const text = `${head}A-1,ada,2030-01-05,Widget,3,33.33,4000\nA-1,,,Post,,4.50,4100\n`
    const report = await take('invoices', `${text}A-2,Ada,,Gadget,,7,\n`)
    expect(report).toEqual({ rows: 3, made: 2, problems: [], isKept: true })
    const documents = await world().database.sql`
      select reference, status, total_minor, date
      from books.documents
      where business_id = ${businessId}
      order by reference`
    expect(documents).toMatchObject([
      { reference: 'A-1', status: 'draft', totalMinor: 10_449n, date: '2030-01-05' },
      { reference: 'A-2', status: 'draft', totalMinor: 700n },
    ])
  })

  it('say what is wrong with each row, and none is kept', async () => {
    const report = await take(
      'invoices',
      `${head}A-1,Ada,,Widget,,1,\nA-1,Bert,,Other,,1,\n` +
        'A-2,Cleo,,Widget,,1,\nA-3,Ada,,Widget,lots,1,\nA-5,Ada,,Widget,1,1,98\n' +
        'A-5,Ada,,,1,1,99\n' +
        ',Ada,,Widget,,1,\nA-4,Ada,2030-02-31,Widget,,1,\nA-6,Ada,,Good,2,1,4000\n',
    )
    expect(report.problems).toEqual([
      { row: 3, column: 'contact', message: 'Differs from row 2 of the same invoice.' },
      { row: 4, column: 'contact', message: 'No contact is named Cleo.' },
      { row: 5, column: 'quantity', message: expect.stringContaining('Must be a number') },
      { row: 6, column: 'account', message: 'No account has the code 98.' },
      { row: 7, column: 'description', message: 'Must not be empty.' },
      { row: 7, column: 'account', message: 'No account has the code 99.' },
      { row: 8, column: 'invoice', message: 'Must not be empty.' },
      { row: 9, column: 'date', message: expect.stringContaining('Must be a date') },
    ])
    expect(report).toMatchObject({ rows: 9, made: 7, isKept: false })
    expect(await count('books.documents')).toBe(0)
    const alone = await take('invoices', `${head}A-6,Ada,,Good,2,1,4000\n`)
    expect(alone).toEqual({ rows: 1, made: 1, problems: [], isKept: true })
  })

  it('whose reference the customer has already are refused', async () => {
    const text = `${head}A-1,Ada,,Widget,,1,\n`
    await take('invoices', text)
    const { problems } = await take('invoices', text)
    expect(problems).toEqual([
      { row: 2, column: 'invoice', message: 'There is already an invoice with the reference A-1.' },
    ])
  })
})

describe('a file', () => {
  it.each([
    ['without a column that is needed', 'email\na@b.example\n', 'columns are missing: name'],
    [
      'with columns no one knows',
      'name,Favourite Colour,\nAda,red,\n',
      'Unknown columns: Favourite Colour, (nothing). Known columns: name, email',
    ],
    ['without rows', 'name\n', 'The file has no rows below the header.'],
  ])('%s is refused', async (_what, text, message) => {
    await expect(take('contacts', text)).rejects.toThrow(message)
  })

  it('hears of its columns by the names that it gives them', async () => {
    const { problems } = await take('contacts', 'Name,Is Supplier,E-MAIL\n,perhaps,\n').catch(
      (error: Error) => ({ problems: error.message }),
    )
    expect(problems).toContain('Unknown columns: E-MAIL.')
    const text = 'Name,Is Supplier,Payment-Terms Days\n,perhaps,soon\n'
    expect((await take('contacts', text)).problems.map(({ column }) => column)).toEqual([
      'Name',
      'Is Supplier',
      'Payment-Terms Days',
    ])
  })

  it('is taken from owners and admins alone', async () => {
    const request = { name: 'contacts', isTrial: true } as const
    const bytes = Buffer.from('name\nAda\n')
    const taking = runOperation(importCsv, world().context, person('member'), { ...request, bytes })
    await expect(taking).rejects.toThrow('Only an owner or admin can do this.')
  })

  it('says how far it is', async () => {
    const steps: string[] = []
    const text = 'name\nA\nB\nC\n'
    await runOperation(importCsv, world().context, person('owner'), {
      name: 'contacts',
      bytes: Buffer.from(text),
      onProgress: (done, total) => steps.push(`${done}/${total}`),
    })
    expect(steps).toEqual(['1/3', '2/3', '3/3'])
  })
})
