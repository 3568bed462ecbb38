// Payments and what they settle: amounts, entries, events and refusals.

import { describe, expect, it } from 'vitest'
import { setExchangeRate } from '../../../src/books/currencies/set-exchange-rate.ts'
import { listUnreversedEntries } from '../../../src/books/journal/journal-store.ts'
import { reverseEntry } from '../../../src/books/journal/post-entry.ts'
import { allocateCredit } from '../../../src/books/payments/allocate-credit.ts'
import { listAllocations } from '../../../src/books/payments/list-allocations.ts'
import { listOpenItems } from '../../../src/books/payments/list-open-items.ts'
import { listPayments } from '../../../src/books/payments/list-payments.ts'
import { updateOpenItem } from '../../../src/books/payments/open-item-store.ts'
import { recordPayment } from '../../../src/books/payments/record-payment.ts'
import { refundCredit } from '../../../src/books/payments/refund-credit.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { usePaying } from '../../support/paying.ts'

const { world, books, contactId, invoice, pay, refusal } = usePaying()

describe('a payment', () => {
  it('pays an invoice in parts, and tells when it is paid', async () => {
    const id = await invoice(10000n)
    await pay('40', [[id, '40']])
    expect(await books().find(id)).toMatchObject({ status: 'partially_paid', paidMinor: 4000n })
    expect(await books().events(id)).toEqual([])
    const last = await pay('60', [[id, '60.00']])
    expect(await books().find(id)).toMatchObject({ status: 'paid', paidMinor: 10000n })
    expect(await books().events(id)).toEqual(['invoice.paid'])
    expect(await books().open(id)).toEqual([0n, 0n])
    expect(await books().entries(last.id)).toEqual([
      'payment.recorded 2026-01-20\n1000 6000 6000 EUR\n1100 -6000 -6000 EUR',
    ])
    await books().check()
  })

  it('pays several invoices and leaves the rest as a credit of the contact', async () => {
    const [one, two] = [await invoice(10000n), await invoice(5000n)]
    const payment = await pay('170', [
      [one, '100'],
      [two, '50'],
    ])
    expect((await books().find(one)).status).toBe('paid')
    expect((await books().find(two)).status).toBe('paid')
    expect(await books().open(payment.id)).toEqual([-2000n, -2000n])
    await books().check()
  })

  it('of a foreign invoice realises what the rates differ', async () => {
    const id = await invoice(100000n, { currency: 'USD', fxRate: '0.92' })
    const inDollars = { currency: 'USD' }
    const first = await pay('333.33', [[id, '333.33']], { ...inDollars, rate: '0.93' })
    await pay('333.33', [[id, '333.33']], { ...inDollars, rate: '0.90' })
    const last = await pay('333.34', [[id, '333.34']], { ...inDollars, baseAmount: '316.67' })
    expect(await books().entries(first.id)).toEqual([
      'payment.recorded 2026-01-20\n1000 31000 31000 EUR\n1100 -30666 -33333 USD\n6900 -334 -334 EUR',
    ])
    expect(await books().entries(last.id)).toEqual([
      'payment.recorded 2026-01-20\n1000 31667 31667 EUR\n1100 -30668 -33334 USD\n6900 -999 -999 EUR',
    ])
    expect(await books().open(id)).toEqual([0n, 0n])
    await books().check()
  })

  it('is worth what the rate of its day says, and stands in the currency of its account', async () => {
    const { context, database } = world()
    await runOperation(setExchangeRate, context, books().owner, {
      currency: 'USD',
      date: '2026-01-15',
      rate: '0.9',
    })
    await database.sql`
      update books.accounts
      set currency = 'USD'
      where business_id = ${books().tenant.businessId}
        and code = '1010'`
    const accountId = books().accountId('1010')
    const payment = await pay('10', [], { currency: 'USD', accountId })
    expect(await books().entries(payment.id)).toEqual([
      'payment.recorded 2026-01-20\n1010 900 1000 USD\n1100 -900 -1000 USD',
    ])
    expect(await refusal(pay('10', [], { accountId }))).toBe(
      'Savings account is kept in USD and takes no EUR. State account_amount, what moved there in USD.',
    )
  })

  it.each([
    ['bill', '2000', 'bill.paid'],
    ['expense_claim', '2050', 'bill.paid'],
  ] as const)('pays a %s', async (kind, code, event) => {
    const id = await invoice(7000n, { kind })
    const payment = await pay('70', [[id, '70']], { direction: 'out' })
    expect((await books().find(id)).status).toBe('paid')
    expect(await books().events(id)).toEqual([event])
    expect(await books().entries(payment.id)).toEqual([
      `payment.recorded 2026-01-20\n1000 -7000 -7000 EUR\n${code} 7000 7000 EUR`,
    ])
    await books().check()
  })

  it('that comes before its invoice is a credit until the day of that', async () => {
    const id = await invoice(10000n, { date: '2026-02-01' })
    const payment = await pay('100', [[id, '100']])
    const [allocation = ''] = await books().allocations(id)
    expect(await books().entries(payment.id)).toEqual([
      'payment.recorded 2026-01-20\n1000 10000 10000 EUR\n1100 -10000 -10000 EUR',
    ])
    expect(await books().entries(allocation)).toEqual([
      'allocation.made 2026-02-01\n1100 -10000 -10000 EUR\n1100 10000 10000 EUR',
    ])
    expect((await books().find(id)).status).toBe('paid')
    await books().check()
  })

  it('is refused where it does not fit', async () => {
    const id = await invoice(10000n)
    const foreign = await invoice(10000n, { currency: 'USD', fxRate: '0.9' })
    const bill = await invoice(10000n, { kind: 'bill' })
    const credit = await invoice(10000n, { kind: 'credit_note' })
    const stranger = await books().contact('Stranger')
    const out = { direction: 'out' } as const
    const messages = [
      await refusal(pay('100', [[id, '100.01']])),
      await refusal(pay('200', [[id, '100.01']])),
      await refusal(pay('100', [[id, '100']], { contactId: stranger })),
      await refusal(pay('100', [[id, '100']], { contactId: world().context.ids.uuid() })),
      await refusal(pay('100', [[foreign, '100']])),
      await refusal(pay('100', [[bill, '100']])),
      await refusal(pay('100', [[id, '100']], out)),
      await refusal(pay('100', [[credit, '100']])),
      await refusal(
        pay('100', [
          [id, '50'],
          [id, '50'],
        ]),
      ),
      await refusal(
        pay(
          '100',
          [
            [credit, '50'],
            [bill, '50'],
          ],
          out,
        ),
      ),
      await refusal(pay('100', [[world().context.ids.uuid(), '1']])),
      await refusal(pay('100', [], { accountId: books().accountId('1100') })),
      await refusal(pay('100', [], { accountId: books().accountId('1160') })),
      await refusal(pay('100', [], { accountId: books().accountId('4000') })),
      await refusal(pay('100.005')),
      await refusal(pay('100', [], { currency: 'USD' })),
      await refusal(pay('1', [], { currency: 'USD', rate: '0.001' })),
      await refusal(pay('10000000000', [], { currency: 'USD', rate: '100000' })),
    ]
    expect(messages).toEqual([
      '100.01 EUR is more than the payment.',
      'Only 100.00 EUR of invoice-1 is open.',
      'invoice-1 is of another contact.',
      'No such contact.',
      'invoice-2 is in USD, the payment in EUR.',
      "bill-3 can't be settled by money that comes in.",
      "invoice-1 can't be settled by money that goes out.",
      "credit_note-4 can't be settled by money that comes in.",
      'Name each document once.',
      'One payment settles sales, purchases or expense claims. Record several.',
      'No such document or payment.',
      'Choose a bank account, or another account for money.',
      'Choose a bank account, or another account for money.',
      'Choose a bank account, or another account for money.',
      'EUR has 2 decimals.',
      'No rate from USD to EUR is known for 2026-01-20. Set one in Settings → Currencies and rates (command set-exchange-rate). Or state the rate here.',
      'Less than the smallest amount of EUR.',
      'Too large in EUR. Check the rate.',
    ])
  })

  it('is refused for what is not in the books, or not any more', async () => {
    const { sql } = world().database
    const id = await invoice(10000n)
    await world().database.transaction(async (tx) => {
      const [entry] = await listUnreversedEntries(tx, books().tenant, id)
      await reverseEntry(tx, world().context, books().owner, {
        sequence: entry?.sequence ?? 0n,
        kind: 'document.voided',
        date: '2026-01-11',
        description: 'Void',
      })
      await updateOpenItem(tx, books().tenant, id, { openMinor: 0n, openBaseMinor: 0n })
    })
    await sql`
      update books.documents
      set voided_at = now(), status = 'void'
      where id = ${id}`
    expect(await refusal(pay('100', [[id, '100']]))).toBe('invoice-1 is void.')
  })

  it('keeps to the lock dates and to the roles', async () => {
    const { sql } = world().database
    await sql`
      update books.organisations
      set soft_locked_until = '2026-01-25', hard_locked_until = '2026-01-05'
      where business_id = ${books().tenant.businessId}`
    const member = books().person('member')
    const input = {
      direction: 'in',
      contactId: contactId(),
      date: '2026-01-20',
      currency: 'EUR',
      amount: '10',
      accountId: books().accountId('1000'),
    } as const
    const { context } = world()
    expect(await refusal(runOperation(recordPayment, context, member, input))).toMatch(
      /locked up to .*01-25/,
    )
    expect(await refusal(pay('10', [], { date: '2026-01-05' }))).toMatch(/locked up to .*01-05/)
    await pay('10')
    await runOperation(recordPayment, context, member, { ...input, date: '2026-01-26' })
    const viewer = runOperation(recordPayment, context, books().person('viewer'), input)
    expect(await refusal(viewer)).toMatch(/^Only an owner/)
  })
})

describe('what is settled', () => {
  it('is listed by contact, payment and document', async () => {
    const id = await invoice(10000n)
    const payment = await pay('70', [[id, '70']])
    const stranger = await books().contact('Stranger')
    const openItems = (of: string) =>
      runOperation(listOpenItems, world().context, books().owner, { contactId: of })
    expect(await openItems(contactId())).toMatchObject([{ id, openMinor: 3000n }])
    expect(await openItems(stranger)).toEqual([])
    const payments = (wanted: { contactId?: string }) =>
      runOperation(listPayments, world().context, books().owner, wanted)
    expect(await payments({})).toMatchObject([{ id: payment.id }])
    expect(await payments({ contactId: contactId() })).toMatchObject([{ id: payment.id }])
    expect(await payments({ contactId: stranger })).toEqual([])
    const used = [{ debitItemId: id, creditItemId: payment.id, amountMinor: 7000n }]
    const allocations = (itemId: string) =>
      runOperation(listAllocations, world().context, books().owner, { itemId })
    expect(await allocations(id)).toMatchObject(used)
    expect(await allocations(payment.id)).toMatchObject(used)
  })
})

describe('a credit', () => {
  const allocate = (creditId: string, documentId: string, amount?: string, date = '2026-02-01') =>
    runOperation(allocateCredit, world().context, books().owner, {
      creditId,
      documentId,
      date,
      amount,
    })

  it('closes an invoice that it covers, and is closed itself', async () => {
    const [id, credit] = [await invoice(10000n), await invoice(15000n, { kind: 'credit_note' })]
    const allocation = await allocate(credit, id)
    expect(await books().find(id)).toMatchObject({ status: 'closed', creditedMinor: 10000n })
    expect(await books().find(credit)).toMatchObject({
      status: 'partially_paid',
      creditedMinor: 10000n,
    })
    expect(await books().entries(allocation.id)).toEqual([
      'allocation.made 2026-02-01\n1100 -10000 -10000 EUR\n1100 10000 10000 EUR',
    ])
    expect(await books().events(id)).toEqual([])
    await allocate(credit, await invoice(5000n))
    expect((await books().find(credit)).status).toBe('closed')
    await books().check()
  })

  it('of another rate realises the difference', async () => {
    const id = await invoice(100000n, { currency: 'USD', fxRate: '0.92' })
    const credit = await invoice(10000n, { kind: 'credit_note', currency: 'USD', fxRate: '0.9' })
    const allocation = await allocate(credit, id, '100')
    expect(await books().entries(allocation.id)).toEqual([
      'allocation.made 2026-02-01\n1100 -9200 -10000 USD\n1100 9000 10000 USD\n6900 200 200 EUR',
    ])
    await books().check()
  })

  it('of a supplier pays a bill', async () => {
    const bill = await invoice(10000n, { kind: 'bill' })
    const credit = await invoice(4000n, { kind: 'supplier_credit' })
    await allocate(credit, bill)
    expect(await books().find(bill)).toMatchObject({
      status: 'partially_paid',
      creditedMinor: 4000n,
    })
    expect((await books().find(credit)).status).toBe('closed')
    await books().check()
  })

  it('that is an overpayment pays another invoice', async () => {
    const payment = await pay('100')
    const id = await invoice(6000n)
    await allocate(payment.id, id)
    expect(await books().find(id)).toMatchObject({ status: 'paid', paidMinor: 6000n })
    expect(await books().events(id)).toEqual(['invoice.paid'])
    expect(await books().open(payment.id)).toEqual([-4000n, -4000n])
    await books().check()
  })

  it('is refused where it does not fit', async () => {
    const [id, other] = [await invoice(10000n), await invoice(10000n)]
    const credit = await invoice(5000n, { kind: 'credit_note' })
    const foreign = await invoice(5000n, { kind: 'credit_note', currency: 'USD', fxRate: '0.9' })
    const stranger = await books().contact('Stranger')
    const theirs = await books().document({ contactId: stranger, totalMinor: 5000n })
    const bill = await invoice(5000n, { kind: 'supplier_credit' })
    expect([
      await refusal(allocate(credit, id, '50.01')),
      await refusal(allocate(foreign, id)),
      await refusal(allocate(credit, theirs)),
      await refusal(allocate(credit, bill)),
      await refusal(allocate(other, id)),
      await refusal(allocate(credit, id, '10', '2026-01-09')),
      await refusal(allocate(credit, world().context.ids.uuid())),
    ]).toEqual([
      'Only 50.00 EUR of credit_note-3 is open.',
      'credit_note-4 is in USD, invoice-1 in EUR.',
      'credit_note-3 and invoice-5 are of different contacts.',
      "Receivables and payables can't be settled against each other.",
      'invoice-2 cannot be allocated to invoice-1: both are owed by the same side.',
      'invoice-1 is open since 2026-01-10. Choose that day or a later one.',
      'No such document or payment.',
    ])
    await allocate(credit, id)
    expect(await refusal(allocate(credit, id))).toBe('Nothing of credit_note-3 is open.')
  })

  it('is paid back in cash', async () => {
    const credit = await invoice(10000n, { kind: 'credit_note' })
    const refund = (itemId: string, amount?: string) =>
      runOperation(refundCredit, world().context, books().owner, {
        itemId,
        date: '2026-02-01',
        accountId: books().accountId('1000'),
        amount,
      })
    const part = await refund(credit, '30')
    expect(await books().find(credit)).toMatchObject({ status: 'partially_paid', paidMinor: 3000n })
    expect(await books().entries(part.id)).toEqual([
      'payment.recorded 2026-02-01\n1000 -3000 -3000 EUR\n1100 3000 3000 EUR',
    ])
    await refund(credit)
    expect(await books().find(credit)).toMatchObject({ status: 'closed', paidMinor: 10000n })
    expect(await books().events(credit)).toEqual([])
    const payment = await pay('20')
    await refund(payment.id)
    expect(await books().open(payment.id)).toEqual([0n, 0n])
    const supplierCredit = await invoice(5000n, { kind: 'supplier_credit' })
    const received = await refund(supplierCredit)
    expect(received.direction).toBe('in')
    expect((await books().find(supplierCredit)).status).toBe('closed')
    await books().check()
    expect(await refusal(refund(await invoice(100n)))).toBe(
      'invoice-3 is not a credit. Credit it first.',
    )
    expect(await refusal(refund(credit))).toBe('Nothing of credit_note-1 is open.')
  })
})
