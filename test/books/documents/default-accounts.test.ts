// Lines without an account, and whose item and contact have none, use the organisation's default.

import { beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { createAccount } from '../../../src/books/accounts/create-account.ts'
import { updateAccount } from '../../../src/books/accounts/update-account.ts'
import { approveDocument } from '../../../src/books/documents/approve-document.ts'
import { createDocument } from '../../../src/books/documents/create-document.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { createItem } from '../../../src/books/items/create-item.ts'
import { getOrganisation } from '../../../src/books/settings/get-organisation.ts'
import { updateOrganisation } from '../../../src/books/settings/update-organisation.ts'
import { updateTaxCode } from '../../../src/books/taxes/update-tax-code.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { refusal } from '../../support/refusal.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const context = () => world().context
let books: Books

beforeEach(async () => {
  books = await newBooks(world())
})

const settings = (of = books.owner) => runOperation(getOrganisation, context(), of, {})

const lines = [{ description: 'Work', unitPrice: '100' }]

describe('new books', () => {
  it.each(['live', 'test'] as const)(
    'name an account for sales and purchases: %s',
    async (environment) => {
      const own = await newBooks(world(), { businessId: books.businessId, environment })
      expect(await settings(own.owner)).toMatchObject({
        defaultSalesAccountId: own.account('4000'),
        defaultPurchaseAccountId: own.account('6300'),
      })
    },
  )

  it('issue an invoice that came in through the interface as it is', async () => {
    const { status, body } = await world().call('POST', '/books/api/v1/invoices', {
      key: await books.key(),
      body: {
        contact_id: (await books.contact()).id,
        lines: [{ description: 'Work', unit_price: 100 }],
      },
    })
    expect([status, body.lines[0].account_id]).toEqual([201, books.account('4000')])
    const issued = await runOperation(issueDocument, context(), books.owner, { id: body.id })
    expect(issued).toMatchObject({ status: 'posted', totalMinor: 10000n })
  })

  it('approve a bill that names no account', async () => {
    const contactId = (await books.contact()).id
    const form = { contactId, lines }
    const entered = await runOperation(createDocument, context(), books.owner, {
      kind: 'bill',
      ...form,
    })
    expect(entered.lines[0]?.accountId).toBe(books.account('6300'))
    const approved = await runOperation(approveDocument, context(), books.owner, {
      id: entered.id,
    })
    expect(approved.status).toBe('approved')
  })
})

describe('the accounts of the organisation', () => {
  it('are changed in its settings, and come after those of item and contact', async () => {
    await runOperation(updateOrganisation, context(), books.owner, {
      defaultSalesAccountId: books.account('4100'),
    })
    const pen = await books.item({ salesAccountId: books.account('4900') })
    const customer = await books.contact({ salesAccountId: books.account('4800') })
    const named = async (form: Omit<z.input<typeof createDocument.input>, 'kind'>) =>
      (await runOperation(createDocument, context(), books.owner, { kind: 'invoice', ...form }))
        .lines[0]?.accountId
    const plain = { contactId: (await books.contact()).id, lines }
    expect(await named(plain)).toBe(books.account('4100'))
    expect(await named({ ...plain, contactId: customer.id })).toBe(books.account('4800'))
    const ofItem = lines.map((line) => ({ ...line, itemId: pen.id }))
    expect(await named({ contactId: customer.id, lines: ofItem })).toBe(books.account('4900'))
  })

  it('come last for purchases too: item, contact, setting, and what new books name', async () => {
    const [pen, plain] = [
      await books.item({ purchaseAccountId: books.account('5000') }),
      await books.item({ salesAccountId: books.account('4900') }),
    ]
    const supplier = await books.contact({ purchaseAccountId: books.account('6350') })
    const anybody = await books.contact({ salesAccountId: books.account('4800') })
    const named = async (contactId: string, itemId?: string) => {
      const form = { contactId, lines: lines.map((line) => ({ ...line, itemId })) }
      return (await runOperation(createDocument, context(), books.owner, { kind: 'bill', ...form }))
        .lines[0]?.accountId
    }
    expect(await named(supplier.id, pen.id)).toBe(books.account('5000'))
    expect(await named(supplier.id, plain.id)).toBe(books.account('6350'))
    expect(await named(anybody.id, plain.id)).toBe(books.account('6300'))
    const defaultPurchaseAccountId = books.account('6000')
    await runOperation(updateOrganisation, context(), books.owner, { defaultPurchaseAccountId })
    expect(await named(anybody.id)).toBe(books.account('6000'))
    expect(await named(supplier.id)).toBe(books.account('6350'))
    // A contact's default that was retired since is passed over.
    await runOperation(updateAccount, context(), books.owner, {
      id: books.account('6350'),
      active: false,
    })
    expect(await named(supplier.id, plain.id)).toBe(books.account('6000'))
  })

  it('can be none, and then a line stays open and blocks issuing', async () => {
    await runOperation(updateOrganisation, context(), books.owner, { defaultSalesAccountId: null })
    const draft = await books.draft('invoice', { lines })
    expect(
      await refusal(runOperation(issueDocument, context(), books.owner, { id: draft.id })),
    ).toBe('Line 1 without an account. Choose one.')
  })

  it('cannot be retired while lines default to them', async () => {
    const retire = () =>
      runOperation(updateAccount, context(), books.owner, {
        id: books.account('6300'),
        active: false,
      })
    expect(await refusal(retire())).toContain('Choose another default first.')
    await runOperation(updateOrganisation, context(), books.owner, {
      defaultPurchaseAccountId: books.account('6350'),
    })
    expect((await retire()).active).toBe(false)
  })
})

describe('an item', () => {
  it('whose account or tax code is retired is refused at its line', async () => {
    const { id: accountId } = await runOperation(createAccount, context(), books.owner, {
      ...{ code: '4010', name: 'Old sales', type: 'income', subtype: 'sales' },
    })
    const { id: taxCodeId } = await books.taxCode('20')
    const item = (name: string, wanted: object) =>
      runOperation(createItem, context(), books.owner, { code: name, name, ...wanted })
    const sold = await item('Sold', { salesAccountId: accountId })
    const taxed = await item('Taxed', { salesTaxCodeId: taxCodeId })
    await runOperation(updateAccount, context(), books.owner, { id: accountId, active: false })
    await runOperation(updateTaxCode, context(), books.owner, { id: taxCodeId, active: false })
    const draft = (itemId: string, line = {}) =>
      books.draft('invoice', { lines: [{ description: 'Work', unitPrice: '1', itemId, ...line }] })
    expect(await refusal(draft(sold.id))).toBe(
      "0.itemId: The account of the item can't be used: The account is not active.",
    )
    expect(await refusal(draft(taxed.id))).toBe(
      "0.itemId: The tax code of the item can't be used: The tax code is not active.",
    )
    await draft(sold.id, { accountId: books.account('4000') })
  })
})
