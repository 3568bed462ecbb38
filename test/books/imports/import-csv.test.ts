import { beforeEach, describe, expect, it } from 'vitest'
import { type ImportName, importCsv } from '../../../src/books/imports/import-csv.ts'
import { createTaxCode } from '../../../src/books/taxes/create-tax-code.ts'
import type { PersonActor, Role } from '../../../src/kernel/auth/actor.ts'
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

function take(name: ImportName, text: string, isTrial = false) {
  const bytes = Buffer.from(text, 'utf8')
  return importCsv(world().context, person('admin'), {
    name,
    bytes,
    isTrial,
    options: { date: null },
  })
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
      select contact.name, is_customer, is_supplier, payment_terms_days, currency, account.code
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
        ',nobody@example.com,,,,,\n' +
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
        message: 'A control account is only written by the books themselves.',
      },
      { row: 10, column: 'sales_tax_code', message: 'No tax code has the name No such tax.' },
      { row: 11, column: 'name', message: 'There is a contact named ada already.' },
    ])
    expect(await count('books.contacts')).toBe(0)
    expect(await count('kernel.events')).toBe(0)
  })

  it('are not taken a second time', async () => {
    await take('contacts', file)
    const { problems } = await take('contacts', file)
    expect(problems.map(({ message }) => message)).toEqual([
      'There is a contact named Ada already.',
      'There is a contact named Bert already.',
    ])
    expect(await count('books.contacts')).toBe(2)
  })
})

describe('items', () => {
  it('keep their prices exactly, and name accounts and tax codes', async () => {
    const components = [{ name: 'VAT', rate: '20', isCompound: false }]
    const code = { name: 'VAT 20', isInclusive: false, components }
    await createTaxCode(world().context, person('admin'), code)
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
      { row: 3, column: null, message: 'There is an item with the code A already.' },
    ])
  })
})

describe('a file', () => {
  it.each([
    ['without a column that is needed', 'email\na@b.example\n', 'columns are missing: name'],
    ['with a column nobody knows', 'name,colour\nAda,red\n', 'Unknown columns: colour. There are'],
    ['without rows', 'name\n', 'The file has no rows below its head.'],
  ])('%s is refused', async (_what, text, message) => {
    await expect(take('contacts', text)).rejects.toThrow(message)
  })

  it('is taken from owners and admins alone', async () => {
    const request = { name: 'contacts', isTrial: true, options: { date: null } } as const
    const bytes = Buffer.from('name\nAda\n')
    const taking = importCsv(world().context, person('member'), { ...request, bytes })
    await expect(taking).rejects.toThrow('Only an owner or admin may do this.')
  })

  it('says how far it is', async () => {
    const steps: string[] = []
    const text = 'name\nA\nB\nC\n'
    await importCsv(world().context, person('owner'), {
      name: 'contacts',
      bytes: Buffer.from(text),
      isTrial: false,
      options: { date: null },
      onProgress: (done, total) => steps.push(`${done}/${total}`),
    })
    expect(steps).toEqual(['1/3', '2/3', '3/3'])
  })
})
