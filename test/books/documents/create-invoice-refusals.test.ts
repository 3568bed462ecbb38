import { describe, expect, it } from 'vitest'
import {
  invoiceLine as line,
  nothingWritten as nothing,
  useInvoiceShop,
} from '../../support/invoice-shop.ts'

const { world, shop, written } = useInvoiceShop()

describe('400', () => {
  const withLine = (fields: object) => ({ lines: [line, { ...line, ...fields }] })
  const fields: [string, string, object][] = [
    ['no lines', 'lines', {}],
    ['an empty list of lines', 'lines', { lines: [] }],
    ['201 lines', 'lines', { lines: Array(201).fill(line) }],
    ['lines that are no list', 'lines', { lines: line }],
    ['a line that is no object', 'lines', { lines: [1] }],
    ['a contact that is no UUID', 'contact_id', { contact_id: 'x', lines: [line] }],
    ['a null contact', 'contact_id', { contact_id: null, lines: [line] }],
    ['a day that is none', 'date', { date: '2026-02-30', lines: [line] }],
    ['a day before 1900', 'date', { date: '1026-01-01', lines: [line] }],
    ['a day with a time', 'date', { date: '2026-02-03T00:00:00Z', lines: [line] }],
    ['a number for a day', 'due_date', { due_date: 20260203, lines: [line] }],
    [
      'due before its date',
      'due_date',
      { date: '2026-02-03', due_date: '2026-02-02', lines: [line] },
    ],
    ['due before today', 'due_date', { due_date: '2026-02-28', lines: [line] }],
    ['a currency in lower case', 'currency', { currency: 'eur', lines: [line] }],
    ['an unknown currency', 'currency', { currency: 'ABC', lines: [line] }],
    ['a reference of 256 characters', 'reference', { reference: 'a'.repeat(256), lines: [line] }],
    ['a reference of two lines', 'reference', { reference: 'a\nb', lines: [line] }],
    ['notes of 4001 characters', 'notes', { notes: 'a'.repeat(4001), lines: [line] }],
    ['notes with a control character', 'notes', { notes: 'a\u0007', lines: [line] }],
    ['an unknown field', 'colour', { colour: 'red', lines: [line] }],
    ['a number, which issuing gives', 'number', { number: 'INV-1', lines: [line] }],
    ['a status', 'status', { status: 'paid', lines: [line] }],
    ['a rate', 'fx_rate', { fx_rate: 1, lines: [line] }],
    ['an unknown field of a line', 'lines', withLine({ colour: 'red' })],
    ['a line without a description', 'lines', { lines: [{ unit_price: 1 }] }],
    ['a blank description', 'lines', withLine({ description: ' ' })],
    ['a description of 4001 characters', 'lines', withLine({ description: 'a'.repeat(4001) })],
    ['a line without a price', 'lines', { lines: [{ description: 'A' }] }],
    ['a price as text', 'lines', withLine({ unit_price: '1' })],
    ['a null price', 'lines', withLine({ unit_price: null })],
    ['a price of seven decimals', 'lines', withLine({ unit_price: 1.0000001 })],
    ['a price above the bound', 'lines', withLine({ unit_price: 1_000_000_000_000.01 })],
    ['a price below the bound', 'lines', withLine({ unit_price: -1_000_000_000_000.01 })],
    ['a quantity above the bound', 'lines', withLine({ quantity: 1_000_000_000.1 })],
    ['a quantity of seven decimals', 'lines', withLine({ quantity: 0.0000001 })],
    ['a quantity as text', 'lines', withLine({ quantity: 'two' })],
    ['a discount below zero', 'lines', withLine({ discount_pct: -0.01 })],
    ['a discount above a hundred', 'lines', withLine({ discount_pct: 100.01 })],
    ['an account that is no UUID', 'lines', withLine({ account_id: '4000' })],
    ['an amount beyond all bounds', 'lines', withLine({ quantity: 1e9, unit_price: 1e9 })],
    ['a total below zero', 'lines', withLine({ unit_price: -100.01 })],
  ]
  // One for all of them, since none of them leaves anything behind.
  let refusing: ReturnType<typeof shop> | undefined
  it.each(fields)('is the answer to %s', async (_, field, body) => {
    refusing ??= shop()
    const { post, businessId } = await refusing
    const answer = await post(body)
    expect(answer.status).toBe(400)
    expect(answer.body.code).toBe('invalid_request')
    expect(answer.body.error.formErrors).toEqual([])
    expect(Object.keys(answer.body.error.fieldErrors)).toEqual([field])
    expect(await written({ businessId })).toEqual(nothing)
  })

  it('says which line is wrong, and why, all at once', async () => {
    const { post, contact, item, account, taxCode, businessId } = await shop()
    const stranger = await shop()
    const foreign = { account: stranger.account('4000'), tax: (await stranger.taxCode('5')).id }
    const sandbox = await shop({ businessId, environment: 'test' })
    const retired = { item: await item(), tax: await taxCode('7') }
    await world().database.sql`
      update books.items
      set active = false
      where id = ${retired.item.id}`
    await world().database.sql`
      update books.tax_codes
      set active = false
      where id = ${retired.tax.id}`
    await world().database.sql`
      update books.accounts
      set active = false
      where business_id = ${businessId}
        and id = ${account('4900')}`
    const supplier = await contact({ isCustomer: false })
    const { status, body } = await post({
      contact_id: supplier.id,
      lines: [
        { ...line, account_id: foreign.account },
        { ...line, tax_code_id: foreign.tax },
        { ...line, item_id: (await stranger.item()).id },
        { ...line, account_id: sandbox.account('4000') },
        { ...line, account_id: account('4900') },
        { ...line, account_id: account('1100') },
        { ...line, account_id: account('1160') },
        { ...line, tax_code_id: retired.tax.id, item_id: retired.item.id },
        line,
      ],
    })
    expect(status).toBe(400)
    expect(body.error.fieldErrors).toEqual({
      contact_id: ['The contact is not a customer.'],
      lines: [
        '0.account_id: No such account.',
        '1.tax_code_id: No such tax code.',
        '2.item_id: No such item.',
        '3.account_id: No such account.',
        '4.account_id: The account is not active.',
        '5.account_id: Only documents and payments post to a control account.',
        '6.account_id: Only revaluations post to this account.',
        '7.item_id: The item is not active.',
        '7.tax_code_id: The tax code is not active.',
      ],
    })
  })

  it('is the answer to a customer of another organisation, or a retired one', async () => {
    const { post, contact } = await shop()
    const stranger = await shop()
    const retired = await contact()
    await world().database.sql`
      update books.contacts
      set active = false
      where id = ${retired.id}`
    const reason = async (contact_id: string) =>
      (await post({ contact_id, lines: [line] })).body.error.fieldErrors
    expect(await reason(stranger.customer.id)).toEqual({ contact_id: ['No such customer.'] })
    expect(await reason(retired.id)).toEqual({ contact_id: ['The contact is not active.'] })
  })

  it('names a field that is wrong inside a line by its path', async () => {
    const { post } = await shop()
    const { body } = await post({ lines: [line, { ...line, unit_price: 'ten' }] })
    expect(body.error.fieldErrors.lines).toEqual([
      '1.unit_price: Must be a number from -1000000000000 to 1000000000000.',
    ])
  })
})
