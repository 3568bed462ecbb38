// The statement of a contact: every change of what is open, exact to the balance at the end.
import { expect, it } from 'vitest'
import { getContact } from '../../../src/books/contacts/get-contact.ts'
import { getContactStatement } from '../../../src/books/contacts/get-contact-statement.ts'
import { allocateCredit } from '../../../src/books/payments/allocate-credit.ts'
import { removePayment } from '../../../src/books/payments/remove-payment.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { usePaying } from '../../support/paying.ts'

const { world, books, contactId, invoice, pay, refusal } = usePaying()

async function statement(from: string, to: string, id = contactId()) {
  const wanted = { id, from, to }
  const { currencies } = await runOperation(
    getContactStatement,
    world().context,
    books().owner,
    wanted,
  )
  return currencies.map(({ currency, openingMinor, lines, closingMinor }) => ({
    currency,
    openingMinor,
    lines: lines.map(
      ({ date, kind, amountMinor, balanceMinor }) =>
        `${date} ${kind} ${amountMinor} ${balanceMinor}`,
    ),
    closingMinor,
  }))
}

it('begins with what was open before, and shows each change with the balance after it', async () => {
  const first = await invoice(10000n)
  await pay('40', [[first, '40']])
  await invoice(2500n, { date: '2026-02-01' })
  // More than is open: the rest is a credit.
  await pay('70.01', [[first, '60']], { date: '2026-02-04' })
  await invoice(700n, { date: '2026-02-28', kind: 'credit_note' })
  await invoice(99n, { date: '2026-03-01' })
  expect(await statement('2026-02-01', '2026-02-28')).toEqual([
    {
      currency: 'EUR',
      openingMinor: 6000n,
      lines: [
        '2026-02-01 invoice.issued 2500 8500',
        '2026-02-04 payment.recorded -7001 1499',
        '2026-02-28 credit_note.issued -700 799',
      ],
      closingMinor: 799n,
    },
  ])
})

it('ends with what is open, whatever was used for what and undone', async () => {
  const invoiced = await invoice(10000n)
  const credit = await invoice(3000n, { kind: 'credit_note', date: '2026-01-12' })
  await runOperation(allocateCredit, world().context, books().owner, {
    creditId: credit,
    documentId: invoiced,
    amount: '30',
    date: '2026-01-13',
  })
  const payment = await pay('50', [[invoiced, '50']])
  await runOperation(removePayment, world().context, books().owner, {
    paymentId: payment.id,
    date: '2026-01-25',
  })
  const dollars = await invoice(8000n, { currency: 'USD', fxRate: '0.92', date: '2026-01-26' })
  await pay('12.34', [[dollars, '12.34']], { currency: 'USD', rate: '0.9', date: '2026-01-27' })
  await invoice(600n, { kind: 'bill', date: '2026-01-28' })
  const found = await statement('2026-01-01', '2026-01-31')
  expect(found.map(({ lines }) => lines.length)).toEqual([5, 2])
  const { balances } = await runOperation(getContact, world().context, books().owner, {
    id: contactId(),
  })
  const open = balances.map(({ currency, openMinor }) => [currency, openMinor])
  expect(found.map(({ currency, closingMinor }) => [currency, closingMinor])).toEqual(open.sort())
  expect(open).toContainEqual(['EUR', 6400n])
})

it('has nothing of other contacts, and refuses what makes no period', async () => {
  await invoice(10000n)
  const other = await books().contact('Other')
  expect(await statement('2026-01-01', '2026-12-31', other)).toEqual([])
  expect(await refusal(statement('2026-02-01', '2026-01-31'))).toContain('Must not be after')
  const unknown = world().context.ids.uuid()
  expect(await refusal(statement('2026-01-01', '2026-01-31', unknown))).toContain('contact')
})
