// Tax codes, items, exchange rates and contacts.

import { describe, expect, it } from 'vitest'
import { findContact } from '../../src/books/contacts/contact-store.ts'
import { updateContact } from '../../src/books/contacts/update-contact.ts'
import { findRate } from '../../src/books/currencies/exchange-rate-store.ts'
import { findItem } from '../../src/books/items/item-store.ts'
import { updateItem } from '../../src/books/items/update-item.ts'
import { listTaxCodesByIds } from '../../src/books/taxes/tax-code-store.ts'
import { updateTaxCode } from '../../src/books/taxes/update-tax-code.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import { newBooks } from '../support/documents.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const context = () => world().context
const sql = () => world().database.sql

async function acts(businessId: string): Promise<string[]> {
  const rows = await sql()<{ action: string }[]>`
    select action
    from kernel.audit_log
    where business_id = ${businessId}
    order by id`
  return rows.map(({ action }) => action)
}

describe('a tax code', () => {
  it('has components with exact rates, and the system’s tax account by default', async () => {
    const books = await newBooks(world())
    const components = [
      { name: 'GST', rate: '5' },
      { name: 'QST', rate: '9.975', isCompound: true },
    ]
    const made = await books.taxCode('0', { name: 'Quebec', isInclusive: true, components })
    expect(await listTaxCodesByIds(sql(), books, [made.id])).toEqual([
      {
        ...made,
        name: 'Quebec',
        isInclusive: true,
        components: [
          { name: 'GST', rate: '5', isCompound: false, accountId: null },
          { name: 'QST', rate: '9.975', isCompound: true, accountId: null },
        ],
        accountId: books.account('2100'),
        active: true,
      },
    ])
  })

  it('can be renamed, booked elsewhere and retired, but keeps its rates', async () => {
    const books = await newBooks(world())
    const { id } = await books.taxCode('20')
    const changes = { name: 'VAT 20', accountId: books.account('2200'), active: false }
    expect(
      await runOperation(updateTaxCode, context(), books.owner, { id, ...changes }),
    ).toMatchObject(changes)
    const [stored] = await listTaxCodesByIds(sql(), books, [id])
    expect(stored).toMatchObject({ ...changes, components: [{ rate: '20' }] })
    const rates = { components: [] } as object
    await expect(
      runOperation(updateTaxCode, context(), books.owner, { id, ...rates }),
    ).rejects.toThrow('Unknown field.')
    expect((await acts(books.businessId)).slice(-2)).toEqual(['tax_code.create', 'tax_code.update'])
  })

  it.each([
    ['no component', { components: [] }, 'At least one component.'],
    ['a rate above 100', { components: [{ name: 'A', rate: '100.1' }] }, 'number from -100 to 100'],
    ['a rate that is none', { components: [{ name: 'A', rate: 'x' }] }, 'number from -100 to 100'],
    ['no name', { name: '' }, 'Must not be empty.'],
  ])('is refused with %s', async (_, input, reason) => {
    const books = await newBooks(world())
    await expect(books.taxCode('1', input)).rejects.toThrow(reason)
  })

  it('is refused under a name that is taken, and on a control account', async () => {
    const books = await newBooks(world())
    const { id } = await books.taxCode('1', { name: 'A' })
    await expect(books.taxCode('2', { name: 'A' })).rejects.toThrow('already a tax code called A')
    const { id: other } = await books.taxCode('2', { name: 'B' })
    await expect(
      runOperation(updateTaxCode, context(), books.owner, { id: other, name: 'A' }),
    ).rejects.toThrow('already a tax code called A')
    const accountId = books.account('1100')
    await expect(
      runOperation(updateTaxCode, context(), books.owner, { id, accountId }),
    ).rejects.toThrow('a control account')
  })

  it('is kept by owners and admins', async () => {
    const books = await newBooks(world())
    const { id } = await books.taxCode('1')
    await expect(
      runOperation(updateTaxCode, context(), books.person('approver'), { id, active: false }),
    ).rejects.toThrow('Only an owner or admin can do this.')
  })
})

describe('an item', () => {
  it('keeps its prices exactly, and what lines take over from it', async () => {
    const books = await newBooks(world())
    const vat = await books.taxCode('20')
    const made = await books.item({
      salesUnitPrice: '12.345600',
      purchaseUnitPrice: '9.99',
      salesAccountId: books.account('4000'),
      salesTaxCodeId: vat.id,
    })
    expect(await findItem(sql(), books, made.id)).toEqual({
      ...made,
      salesUnitPrice: '12.3456',
      salesAccountId: books.account('4000'),
      salesTaxCodeId: vat.id,
      purchaseAccountId: null,
    })
    const changes = { code: 'NEW', salesUnitPrice: null, description: 'Two\nlines', active: false }
    await runOperation(updateItem, context(), books.person('member'), { id: made.id, ...changes })
    expect(await findItem(sql(), books, made.id)).toMatchObject(changes)
  })

  it('is refused with a code that is taken, and with what is another organisation’s', async () => {
    const books = await newBooks(world())
    const other = await newBooks(world())
    const [first, second] = [await books.item({ code: 'A' }), await books.item({ code: 'B' })]
    await expect(books.item({ code: 'A' })).rejects.toThrow('already an item with the code A')
    await expect(
      runOperation(updateItem, context(), books.owner, { id: second.id, code: 'A' }),
    ).rejects.toThrow('already an item with the code A')
    const salesAccountId = other.account('4000')
    await expect(
      runOperation(updateItem, context(), books.owner, { id: first.id, salesAccountId }),
    ).rejects.toThrow('No such account.')
    const salesTaxCodeId = (await other.taxCode('1')).id
    await expect(books.item({ salesTaxCodeId })).rejects.toThrow('No such tax code.')
    await expect(
      runOperation(updateItem, context(), other.owner, { id: first.id, name: 'A' }),
    ).rejects.toThrow('No such item.')
  })
})

describe('an exchange rate', () => {
  it('holds from its day on until the next, and is replaced on the same day', async () => {
    const books = await newBooks(world())
    await books.rate('USD', '2026-01-10', '0.9')
    await books.rate('USD', '2026-01-20', '0.8')
    await books.rate('USD', '2026-01-20', '0.85')
    await books.rate('JPY', '2026-01-01', '0.0061')
    const on = (date: string) => findRate(sql(), books, 'USD', date)
    expect([await on('2026-01-09'), await on('2026-01-10'), await on('2026-01-19')]).toEqual([
      undefined,
      '0.9',
      '0.9',
    ])
    expect([await on('2026-01-20'), await on('2030-01-01')]).toEqual(['0.85', '0.85'])
  })

  it.each([
    ['of the base currency', 'EUR', '1', 'is the base currency'],
    ['of nothing', 'USD', '0', 'Must be a number from 0.00000001'],
    ['of an unknown currency', 'ABC', '1', 'ISO 4217'],
  ])('%s is refused', async (_, currency, rate, reason) => {
    const books = await newBooks(world())
    await expect(books.rate(currency, '2026-01-01', rate)).rejects.toThrow(reason)
  })
})

describe('a contact', () => {
  it('can be given terms, a currency, an address and defaults, and be retired', async () => {
    const books = await newBooks(world())
    const vat = await books.taxCode('20')
    const { id } = await books.contact({ email: 'a@example.com' })
    const changes = {
      currency: 'USD',
      paymentTermsDays: 14,
      address: '1 High Street\nLagos',
      salesAccountId: books.account('4000'),
      purchaseTaxCodeId: vat.id,
      email: null,
      active: false,
    }
    await runOperation(updateContact, context(), books.person('member'), { id, ...changes })
    expect(await findContact(sql(), books, id)).toMatchObject(changes)
    expect((await acts(books.businessId)).at(-1)).toBe('contact.update')
  })

  it('writes nothing when nothing changes', async () => {
    const books = await newBooks(world())
    const { id, name } = await books.contact()
    const before = await acts(books.businessId)
    await runOperation(updateContact, context(), books.owner, { id, name })
    expect(await acts(books.businessId)).toEqual(before)
  })

  it('is refused with terms beyond ten years, and to viewers', async () => {
    const books = await newBooks(world())
    const { id } = await books.contact()
    await expect(
      runOperation(updateContact, context(), books.owner, { id, paymentTermsDays: 3651 }),
    ).rejects.toMatchObject({ kind: 'invalid_request' })
    await expect(
      runOperation(updateContact, context(), books.person('viewer'), { id, name: 'A' }),
    ).rejects.toMatchObject({ kind: 'permission_denied' })
  })
})
