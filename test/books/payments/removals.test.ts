// Write-offs, and removing payments and allocations.

import { describe, expect, it } from 'vitest'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { allocateCredit } from '../../../src/books/payments/allocate-credit.ts'
import { refundCredit } from '../../../src/books/payments/refund-credit.ts'
import { removeAllocation } from '../../../src/books/payments/remove-allocation.ts'
import { removePayment } from '../../../src/books/payments/remove-payment.ts'
import { writeOffInvoice } from '../../../src/books/payments/write-off-invoice.ts'
import { updateTaxCode } from '../../../src/books/taxes/update-tax-code.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { newBooks } from '../../support/documents.ts'
import { usePaying } from '../../support/paying.ts'

const { world, books, invoice, pay, refusal } = usePaying()

describe('a write-off', () => {
  const writeOff = (documentId: string, claimsTaxRelief: boolean) =>
    runOperation(writeOffInvoice, world().context, books().owner, {
      documentId,
      date: '2026-03-01',
      claimsTaxRelief,
    })

  it('closes what is left of an invoice as a bad debt', async () => {
    const id = await invoice(11900n, { taxMinor: 1900n })
    await pay('19', [[id, '19']])
    const given = await writeOff(id, false)
    expect(await books().find(id)).toMatchObject({ status: 'closed', writtenOffMinor: 10000n })
    // It was not paid in full, so no one is told that it was.
    expect(await books().events(id)).toEqual([])
    expect(await books().entries(given.id)).toEqual([
      'debt.written_off 2026-03-01\n6800 10000 10000 EUR\n1100 -10000 -10000 EUR',
    ])
    await books().check()
  })

  it('takes the tax back in the share that is given up', async () => {
    const id = await invoice(11900n, { taxMinor: 1900n, currency: 'USD', fxRate: '0.9' })
    await pay('19', [[id, '19']], { currency: 'USD', rate: '0.95' })
    const given = await writeOff(id, true)
    expect(await books().entries(given.id)).toEqual([
      'debt.written_off_net 2026-03-01\n6800 7563 8403 USD\n2100 1437 1597 USD\n1100 -9000 -10000 USD',
    ])
    await books().check()
  })

  it('takes the tax back from the account that it was booked on, wherever that is', async () => {
    const { context, database } = world()
    const real = await newBooks(world())
    const code = await real.taxCode('19', { accountId: real.account('2200') })
    const line = { description: 'Work', unitPrice: '100', accountId: real.account('4000') }
    const draft = await real.draft('invoice', {
      date: '2026-01-10',
      lines: [{ ...line, taxCodeId: code.id }, line],
    })
    await runOperation(issueDocument, context, real.owner, { id: draft.id })
    await runOperation(updateTaxCode, context, real.owner, {
      id: code.id,
      accountId: real.account('2300'),
    })
    const given = await runOperation(writeOffInvoice, context, real.owner, {
      ...{ documentId: draft.id, date: '2026-03-01', claimsTaxRelief: true },
    })
    const lines = await database.sql<{ code: string; baseMinor: bigint }[]>`
      select account.code, line.base_minor
      from books.journal_entries as entry
      join books.journal_lines as line using (business_id, environment, sequence)
      join books.accounts as account
        on account.business_id = line.business_id
        and account.environment = line.environment
        and account.id = line.account_id
      where entry.business_id = ${real.businessId}
        and entry.source_id = ${given.id}
      order by line.position`
    expect(lines.map((one) => [one.code, one.baseMinor])).toEqual([
      ['6800', 20000n],
      ['2200', 1900n],
      ['1100', -21900n],
    ])
  })

  it('without any payment closes the invoice, and its removal opens it', async () => {
    const id = await invoice(10000n)
    const given = await writeOff(id, false)
    expect((await books().find(id)).status).toBe('closed')
    const [allocationId = ''] = await books().allocations(id)
    const { context } = world()
    const date = '2026-03-02'
    expect(
      await refusal(runOperation(removeAllocation, context, books().owner, { allocationId, date })),
    ).toBe('It is a write-off. Remove the whole write-off instead.')
    await runOperation(removePayment, context, books().owner, { paymentId: given.id, date })
    expect(await books().find(id)).toMatchObject({ status: 'posted', writtenOffMinor: 0n })
    await books().check()
  })

  it('is for invoices with something open', async () => {
    const bill = await invoice(10000n, { kind: 'bill' })
    expect(await refusal(writeOff(bill, false))).toContain('This is not an invoice.')
    const id = await invoice(10000n)
    await pay('100', [[id, '100']])
    expect(await refusal(writeOff(id, false))).toBe('Nothing of invoice-2 is open.')
    expect(await refusal(writeOff(world().context.ids.uuid(), false))).toBe('No such invoice.')
  })
})

describe('what is taken back', () => {
  const remove = (paymentId: string, date = '2026-04-01') =>
    runOperation(removePayment, world().context, books().owner, { paymentId, date })
  const release = (allocationId: string, date = '2026-03-01') =>
    runOperation(removeAllocation, world().context, books().owner, { allocationId, date })

  it('opens the invoice again and leaves the payment as a credit', async () => {
    const id = await invoice(100000n, { currency: 'USD', fxRate: '0.92' })
    const payment = await pay('1000', [[id, '1000']], { currency: 'USD', rate: '0.93' })
    const [allocation = ''] = await books().allocations(id)
    await release(allocation)
    expect(await books().find(id)).toMatchObject({ status: 'posted', paidMinor: 0n })
    expect(await books().open(id)).toEqual([100000n, 92000n])
    expect(await books().open(payment.id)).toEqual([-100000n, -93000n])
    expect(await books().entries(allocation)).toEqual([
      'allocation.removed 2026-03-01\n1100 92000 100000 USD\n1100 -93000 -100000 USD\n6900 1000 1000 EUR',
    ])
    await release(allocation)
    expect(await books().entries(allocation)).toHaveLength(1)
    await books().check()
  })

  it('is a reversal where the allocation has its own entry', async () => {
    const [id, credit] = [await invoice(10000n), await invoice(10000n, { kind: 'credit_note' })]
    const allocation = await runOperation(allocateCredit, world().context, books().owner, {
      creditId: credit,
      documentId: id,
      date: '2026-02-01',
    })
    await release(allocation.id)
    expect((await books().entries(allocation.id))[1]).toBe(
      'allocation.removed 2026-03-01 reversing\n1100 10000 10000 EUR\n1100 -10000 -10000 EUR',
    )
    expect((await books().find(id)).status).toBe('posted')
    expect((await books().find(credit)).status).toBe('posted')
    await books().check()
  })

  it('is nothing at all of a payment, whatever it was used for meanwhile', async () => {
    const [one, two] = [await invoice(10000n), await invoice(5000n)]
    const later = await invoice(3000n, { date: '2026-03-05' })
    const payment = await pay('200', [
      [one, '100'],
      [two, '50'],
      [later, '10'],
    ])
    const [allocation = ''] = await books().allocations(one)
    await release(allocation)
    await runOperation(allocateCredit, world().context, books().owner, {
      creditId: payment.id,
      documentId: one,
      date: '2026-03-10',
      amount: '70',
    })
    await runOperation(refundCredit, world().context, books().owner, {
      itemId: payment.id,
      date: '2026-03-11',
      amount: '20',
      accountId: books().accountId('1050'),
    })
    await books().check()
    expect(await refusal(remove(payment.id, '2026-03-10'))).toBe(
      'The payment last moved on 2026-03-11. Choose that day or a later one.',
    )
    await remove(payment.id)
    for (const id of [one, two, later]) expect((await books().find(id)).status).toBe('posted')
    expect(await books().open(payment.id)).toEqual([0n, 0n])
    await books().check()
    const { sql } = world().database
    const sums = await sql<{ code: string; baseMinor: bigint }[]>`
      select account.code, sum(base_minor)::bigint as base_minor
      from books.journal_lines as line
      join books.accounts as account
        on account.business_id = line.business_id
        and account.environment = line.environment
        and account.id = line.account_id
      where line.business_id = ${books().tenant.businessId}
      group by account.code
      order by account.code`
    // The refund stands: the contact owes it now.
    expect([...sums]).toEqual([
      { code: '1000', baseMinor: 0n },
      { code: '1050', baseMinor: -2000n },
      { code: '1100', baseMinor: 20000n },
      { code: '4000', baseMinor: -18000n },
    ])
    const before = await books().entries(payment.id)
    await remove(payment.id)
    expect(await books().entries(payment.id)).toEqual(before)
  })

  it('may be paid again, and tells again that it is paid', async () => {
    const id = await invoice(10000n)
    const payment = await pay('100', [[id, '100']])
    await remove(payment.id)
    await pay('100', [[id, '100']])
    expect(await books().events(id)).toEqual(['invoice.paid', 'invoice.paid'])
    await books().check()
  })

  it('is refused to members, for another day than an open one, and for strangers', async () => {
    const id = await invoice(10000n)
    const payment = await pay('100', [[id, '100']])
    const { context, database } = world()
    const input = { paymentId: payment.id, date: '2026-04-01' }
    const member = books().person('member')
    expect(await refusal(runOperation(removePayment, context, member, input))).toMatch(
      /^Only an owner or admin/,
    )
    expect(await refusal(remove(payment.id, '2026-01-19'))).toMatch(/Choose that day/)
    expect(await refusal(remove(context.ids.uuid()))).toBe('No such payment.')
    expect(await refusal(release(context.ids.uuid()))).toBe('No such allocation.')
    await database.sql`
      update books.organisations
      set hard_locked_until = '2026-01-31'
      where business_id = ${books().tenant.businessId}`
    expect(await refusal(remove(payment.id, '2026-01-31'))).toMatch(/locked up to/)
    await remove(payment.id, '2026-02-01')
    await books().check()
  })
})

describe('what was settled until it was taken back', () => {
  it('is used only from that day on', async () => {
    const id = await invoice(10000n)
    const wrong = await pay('100', [[id, '100']])
    const { context } = world()
    await runOperation(removePayment, context, books().owner, {
      paymentId: wrong.id,
      date: '2026-03-01',
    })
    const given = runOperation(writeOffInvoice, context, books().owner, {
      documentId: id,
      date: '2026-02-28',
    })
    expect(await refusal(given)).toBe(
      'invoice-1 is open since 2026-03-01. Choose that day or a later one.',
    )
    const right = await pay('100', [[id, '100']], { date: '2026-01-25' })
    expect(await books().entries(right.id)).toEqual([
      'payment.recorded 2026-01-25\n1000 10000 10000 EUR\n1100 -10000 -10000 EUR',
    ])
    const [, allocation = ''] = await books().allocations(id)
    expect(await books().entries(allocation)).toEqual([
      'allocation.made 2026-03-01\n1100 -10000 -10000 EUR\n1100 10000 10000 EUR',
    ])
    const early = { paymentId: right.id, date: '2026-02-28' }
    expect(await refusal(runOperation(removePayment, context, books().owner, early))).toMatch(
      /2026-03-01/,
    )
    expect((await books().find(id)).status).toBe('paid')
    await books().check()
  })
})
