// An account with its own currency accepts lines in that currency only.
import { beforeEach, expect, it } from 'vitest'
import { createAccount } from '../../../src/books/accounts/create-account.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { postManualJournal } from '../../../src/books/journal/post-manual-journal.ts'
import { postOpeningBalances } from '../../../src/books/journal/post-opening-balances.ts'
import { updateOrganisation } from '../../../src/books/settings/update-organisation.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { refusal } from '../../support/refusal.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const context = () => world().context
let books: Books
let dollars: string

beforeEach(async () => {
  books = await newBooks(world())
  const wanted = { code: '1020', name: 'Dollars', type: 'asset', subtype: 'bank' } as const
  const account = { ...wanted, currency: 'USD' }
  dollars = (await runOperation(createAccount, context(), books.owner, account)).id
  await books.rate('USD', '2026-01-01', '0.9')
  await books.rate('GBP', '2026-01-01', '1.2')
})

const today = () => context().clock.now().toISOString().slice(0, 10)

it('a manual journal or opening balance in another currency is refused', async () => {
  const post = (currency?: string) =>
    runOperation(postManualJournal, context(), books.owner, {
      ...{ date: today(), description: 'Moved' },
      lines: [
        { accountId: dollars, debit: '90', currency, ...(currency === 'USD' && { rate: '1' }) },
        { accountId: books.account('1000'), credit: '90' },
      ],
    })
  expect(await refusal(post())).toBe('0.currency: The account is kept in USD and takes no EUR.')
  expect(await refusal(post('EUR'))).toBe(
    '0.currency: The account is kept in USD and takes no EUR.',
  )
  expect(await refusal(post('GBP'))).toBe(
    '0.currency: The account is kept in USD and takes no GBP.',
  )
  expect((await post('USD')).sequence).toBe(1n)
  const balances = [{ accountId: dollars, debit: '90' }]
  const opening = { date: today(), balances }
  expect(await refusal(runOperation(postOpeningBalances, context(), books.owner, opening))).toBe(
    '0.currency: The account is kept in USD and takes no EUR.',
  )
})

it('so is a line of a document; as a default it is passed over', async () => {
  const line = { description: 'Work', unitPrice: '100', accountId: dollars }
  expect(await refusal(books.draft('invoice', { lines: [line] }))).toBe(
    '0.accountId: The account is kept in USD and takes no EUR.',
  )
  const inDollars = await books.draft('invoice', { lines: [line], currency: 'USD' })
  await runOperation(issueDocument, context(), books.owner, { id: inDollars.id })
  const defaults = { defaultSalesAccountId: dollars }
  await runOperation(updateOrganisation, context(), books.owner, defaults)
  const { lines } = await books.draft('invoice', {
    lines: [{ description: 'Work', unitPrice: '100' }],
  })
  expect(lines[0]?.accountId).toBeNull()
})

it('no document books its tax there in another currency', async () => {
  const code = await books.taxCode('20', { accountId: dollars })
  const lines = [{ description: 'Work', unitPrice: '100', taxCodeId: code.id }]
  const { id } = await books.draft('invoice', { lines })
  expect(await refusal(runOperation(issueDocument, context(), books.owner, { id }))).toBe(
    '1020 Dollars: The account is kept in USD and takes no EUR.',
  )
})

it('a bank account without a currency is kept in that of the base; other accounts take any', async () => {
  const post = (code: string) =>
    runOperation(postManualJournal, context(), books.owner, {
      ...{ date: today(), description: 'Moved' },
      lines: [
        { accountId: books.account(code), debit: '90', currency: 'USD' },
        { accountId: dollars, credit: '90', currency: 'USD' },
      ],
    })
  expect(await refusal(post('1000'))).toBe(
    '0.currency: The account is kept in EUR and takes no USD.',
  )
  expect((await post('6300')).sequence).toBe(1n)
  const line = { description: 'Work', unitPrice: '100', accountId: books.account('1000') }
  expect(await refusal(books.draft('bill', { lines: [line], currency: 'USD' }))).toBe(
    '0.accountId: The account is kept in EUR and takes no USD.',
  )
})
