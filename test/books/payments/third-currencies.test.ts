// Money that comes onto an account in a third currency: neither that of the document nor the base
// currency, or a document in the base currency paid in another.
import { beforeEach, expect, it } from 'vitest'
import { createAccount } from '../../../src/books/accounts/create-account.ts'
import { setExchangeRate } from '../../../src/books/currencies/set-exchange-rate.ts'
import { previewPayment } from '../../../src/books/payments/preview-payment.ts'
import { recordPayment } from '../../../src/books/payments/record-payment.ts'
import { refundCredit } from '../../../src/books/payments/refund-credit.ts'
import { removePayment } from '../../../src/books/payments/remove-payment.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { refusal } from '../../support/refusal.ts'
import { type SettlingBooks, settlingBooks } from '../../support/settling.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const context = () => world().context
let books: SettlingBooks
let contactId: string
let dollars: string

beforeEach(async () => {
  books = await settlingBooks(world())
  contactId = await books.contact()
  const wanted = { code: '1020', name: 'Dollars', type: 'asset', subtype: 'bank' } as const
  const account = { ...wanted, currency: 'USD' }
  dollars = (await runOperation(createAccount, context(), books.owner, account)).id
})

type Stated = {
  rate?: string
  baseAmount?: string
  accountAmount?: string
  accountId?: string
  confirmsRate?: boolean
}

const setRate = (currency: string, date: string, rate: string) =>
  runOperation(setExchangeRate, context(), books.owner, { currency, date, rate })

const pay = (currency: string, amount: string, stated: Stated, itemId?: string) =>
  runOperation(recordPayment, context(), books.owner, {
    direction: 'in',
    ...{ contactId, date: '2026-01-20', currency, amount, accountId: dollars, ...stated },
    allocations: itemId === undefined ? [] : [{ itemId, amount }],
  })

it('settles a foreign document at its worth, and holds what came in', async () => {
  const invoice = await books.document({
    ...{ contactId, totalMinor: 1000_00n, currency: 'GBP', fxRate: '1.2' },
  })
  const { id } = await pay('GBP', '1000', { rate: '1.15', accountAmount: '1260.50' }, invoice)
  expect(await books.entries(id)).toEqual([
    'payment.recorded 2026-01-20\n1020 115000 126050 USD\n1100 -120000 -100000 GBP\n6900 5000 5000 EUR',
  ])
  expect(await books.find(invoice)).toMatchObject({ status: 'paid' })
  await books.check()
  const removal = { paymentId: id, date: '2026-01-21' }
  await runOperation(removePayment, context(), books.owner, removal)
  expect((await books.entries(id))[1]).toContain('1020 -115000 -126050 USD')
  await books.check()
})

it('settles a document in the base currency too, and is paid back', async () => {
  const invoice = await books.document({ contactId, totalMinor: 500_00n })
  const { id } = await pay('EUR', '600', { accountAmount: '655.55' }, undefined)
  expect(await books.entries(id)).toEqual([
    'payment.recorded 2026-01-20\n1020 60000 65555 USD\n1100 -60000 -60000 EUR',
  ])
  const back = await runOperation(refundCredit, context(), books.owner, {
    ...{ itemId: id, date: '2026-01-25', accountId: dollars, accountAmount: '650' },
  })
  expect(await books.entries(back.id)).toEqual([
    'payment.recorded 2026-01-25\n1020 -60000 -65000 USD\n1100 60000 60000 EUR',
  ])
  expect(await books.open(invoice)).toEqual([500_00n, 500_00n])
  await books.check()
})

it('has the worth of what came in, where a rate of that is known and none is stated', async () => {
  await setRate('USD', '2026-01-01', '0.9')
  const { id } = await pay('GBP', '1000', { accountAmount: '1300' })
  expect(await books.entries(id)).toEqual([
    'payment.recorded 2026-01-20\n1020 117000 130000 USD\n1100 -117000 -100000 GBP',
  ])
  await books.check()
})

// The gain is what booking posts: 6900 minus what is shown.
it('is previewed as it is booked, by what came in', async () => {
  const invoice = await books.document({
    ...{ contactId, totalMinor: 1000_00n, currency: 'GBP', fxRate: '1.2' },
  })
  const preview = (stated: Stated) =>
    runOperation(previewPayment, context(), books.owner, {
      ...{ documentId: invoice, date: '2026-01-20', amount: '1000', accountId: dollars },
      ...stated,
    })
  expect(await preview({ accountAmount: '1300' })).toMatchObject({ fxRate: null })
  await setRate('USD', '2026-01-01', '0.9')
  const shown = { fxRate: '1.17', baseMinor: 1170_00n, gainMinor: -30_00n, excessMinor: 0n }
  expect(await preview({ accountAmount: '1300' })).toMatchObject(shown)
  const stated = { accountAmount: '1300', rate: '1.21' }
  expect(await preview(stated)).toMatchObject({ baseMinor: 1210_00n, gainMinor: 10_00n })
  const { id } = await pay('GBP', '1000', { accountAmount: '1300' }, invoice)
  expect(await books.entries(id)).toEqual([
    'payment.recorded 2026-01-20\n1020 117000 130000 USD\n1100 -120000 -100000 GBP\n6900 3000 3000 EUR',
  ])
})

it('is previewed only on an account that it fits', async () => {
  const documentId = await books.document({
    ...{ contactId, totalMinor: 1000_00n, currency: 'GBP', fxRate: '1.2' },
  })
  const wanted = { documentId, date: '2026-01-20', amount: '1000', accountAmount: '1300' }
  const preview = (stated: Stated) =>
    refusal(runOperation(previewPayment, context(), books.owner, { ...wanted, ...stated }))
  expect(await preview({ accountId: books.accountId('1000') })).toBe(
    'Bank account is kept in EUR. State base_amount instead.',
  )
  expect(await preview({})).toBe('State the account that it moved on.')
})

it('is confirmed if it is more than twice, or less than half, of what the rates say', async () => {
  await setRate('USD', '2026-01-01', '0.9')
  await setRate('GBP', '2026-01-01', '1.2')
  const message =
    'At the rates of 2026-01-20 the payment is worth 1200.00 EUR and this 11700.00 EUR. If it is ' +
    'right, confirm it (confirms_rate).'
  expect(await refusal(pay('GBP', '1000', { accountAmount: '13000' }))).toBe(message)
  expect(await refusal(pay('GBP', '1000', { accountAmount: '130' }))).toContain('117.00 EUR')
  await pay('GBP', '1000', { accountAmount: '2600' })
  await pay('GBP', '1000', { accountAmount: '13000', confirmsRate: true })
  expect(await refusal(pay('EUR', '1000', { accountAmount: '10000' }))).toContain('9000.00 EUR')
  await books.check()
})

it('is refused without its amount, and with one that says nothing', async () => {
  expect(await refusal(pay('GBP', '10', { rate: '1.2' }))).toBe(
    'Dollars is kept in USD and takes no GBP. State account_amount, what moved there in USD.',
  )
  expect(await refusal(pay('USD', '10', { rate: '0.9', accountAmount: '10' }))).toBe(
    'Dollars is kept in USD. Leave this out.',
  )
  const inBase = { rate: '1.2', accountAmount: '10', accountId: books.accountId('1000') }
  expect(await refusal(pay('GBP', '10', inBase))).toBe(
    'Bank account is kept in EUR. State base_amount instead.',
  )
  expect(await refusal(pay('GBP', '10', { rate: '1.2', accountAmount: '10.001' }))).toBe(
    'USD has 2 decimals.',
  )
})

it('is found when the account holds something else', async () => {
  const { id } = await pay('EUR', '600', { accountAmount: '655.55' })
  await world().database.sql`
    update books.payments
    set account_amount_minor = account_amount_minor + 1
    where id = ${id}`
  await expect(books.check()).rejects.toThrow('I14.26')
})
