// A stated value of money that is already in the base currency. A mistake there must be reported.

import { describe, expect, it } from 'vitest'
import { postManualJournal } from '../../../src/books/journal/post-manual-journal.ts'
import { refundCredit } from '../../../src/books/payments/refund-credit.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { usePaying } from '../../support/paying.ts'

const { world, books, invoice, pay, refusal } = usePaying()

const rateRefused = 'EUR is the base currency; its rate is 1.'
const amountRefused = 'The amount is already in EUR, the base currency.'

describe('of a payment in the base currency', () => {
  it.each([
    [{ rate: '0.9' }, rateRefused],
    [{ baseAmount: '90' }, amountRefused],
    [{ rate: '1', baseAmount: '100' }, 'Enter the rate or the amount, not both.'],
  ])('another worth is refused: %j', async (stated, message) => {
    expect(await refusal(pay('100', [], stated))).toBe(message)
  })

  it.each([{ rate: '1' }, { rate: '1.000' }, { baseAmount: '100.00' }])(
    'the same worth may be said: %j',
    async (stated) => {
      expect(await pay('100', [], stated)).toMatchObject({ baseMinor: 10000n, fxRate: '1' })
    },
  )

  it('another worth is refused when a credit is paid back too', async () => {
    const itemId = await invoice(10000n, { kind: 'credit_note' })
    const accountId = books().accountId('1000')
    const about = { itemId, date: '2026-02-01', accountId, rate: '2' }
    expect(await refusal(runOperation(refundCredit, world().context, books().owner, about))).toBe(
      rateRefused,
    )
  })
})

describe('of a manual line in the base currency', () => {
  const post = (stated: object) =>
    runOperation(postManualJournal, world().context, books().owner, {
      date: '2026-01-31',
      description: 'Accrual',
      lines: [
        { accountId: books().accountId('6350'), debit: '100', ...stated },
        { accountId: books().accountId('2200'), credit: '100' },
      ],
    })

  it.each([
    [{ rate: '0.9' }, `0.rate: ${rateRefused}`],
    [{ baseAmount: '90', currency: 'EUR' }, `0.baseAmount: ${amountRefused}`],
  ])('another worth is refused: %j', async (stated, message) => {
    expect(await refusal(post(stated))).toBe(message)
  })

  it('the same worth may be said', async () => {
    await post({ rate: '1' })
    await books().check()
  })
})
