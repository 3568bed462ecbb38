// Partial write-offs, of customers and of suppliers.

import { describe, expect, it } from 'vitest'
import { approveDocument } from '../../../src/books/documents/approve-document.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { removePayment } from '../../../src/books/payments/remove-payment.ts'
import { writeOffBill } from '../../../src/books/payments/write-off-bill.ts'
import { writeOffInvoice } from '../../../src/books/payments/write-off-invoice.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { newBooks } from '../../support/documents.ts'
import { usePaying } from '../../support/paying.ts'

const { world, books, invoice, pay, refusal } = usePaying()

const giveUp = (documentId: string, input: object = {}) =>
  runOperation(writeOffInvoice, world().context, books().owner, {
    documentId,
    date: '2026-03-01',
    ...input,
  })

const remit = (documentId: string, input: object = {}) =>
  runOperation(writeOffBill, world().context, books().owner, {
    ...{ documentId, date: '2026-03-01', accountId: books().accountId('4900') },
    ...input,
  })

describe('a part of an invoice', () => {
  it('is given up, and the rest stays owed', async () => {
    const id = await invoice(10000n)
    const given = await giveUp(id, { amount: '30' })
    expect(await books().find(id)).toMatchObject({
      status: 'partially_paid',
      writtenOffMinor: 3000n,
    })
    expect(await books().open(id)).toEqual([7000n, 7000n])
    expect(await books().entries(given.id)).toEqual([
      'debt.written_off 2026-03-01\n6800 3000 3000 EUR\n1100 -3000 -3000 EUR',
    ])
    await books().check()
  })

  it('is shown by the interface, so that the amounts add up', async () => {
    const id = await invoice(10000n)
    await giveUp(id, { amount: '30' })
    await pay('20', [[id, '20']], { date: '2026-03-02' })
    const { businessId } = books().tenant
    const { text: key } = await world().key({ service: 'books', businessId, scopes: ['read'] })
    const { body } = await world().call('GET', `/books/api/v1/invoices/${id}`, { key })
    expect(body).toMatchObject({
      ...{ status: 'partially_paid', total: 100, amount_paid: 20, amount_credited: 0 },
      ...{ amount_written_off: 30, amount_due: 50 },
    })
  })

  it('closes it together with what is paid, and no one is told that it was paid in full', async () => {
    const id = await invoice(10000n)
    await giveUp(id, { amount: '30' })
    await pay('70', [[id, '70']], { date: '2026-03-02' })
    expect(await books().find(id)).toMatchObject({ status: 'closed', paidMinor: 7000n })
    expect(await books().events(id)).toEqual([])
  })

  it('is taken back by itself; what is paid in full then is told', async () => {
    const id = await invoice(10000n)
    const [one, two] = [await giveUp(id, { amount: '30' }), await giveUp(id, { amount: '20' })]
    expect((await books().find(id)).writtenOffMinor).toBe(5000n)
    for (const { id: paymentId } of [one, two]) {
      await runOperation(removePayment, world().context, books().owner, {
        paymentId,
        date: '2026-03-05',
      })
    }
    await pay('100', [[id, '100']], { date: '2026-03-06' })
    expect(await books().find(id)).toMatchObject({ status: 'paid', writtenOffMinor: 0n })
    expect(await books().events(id)).toEqual(['invoice.paid'])
    await books().check()
  })

  it('leaves at what it is carried at, so that nothing is realised and nothing is left', async () => {
    const id = await invoice(10000n, { currency: 'USD', fxRate: '0.8765' })
    const parts = ['33.33', '33.33', '33.34']
    const booked = []
    for (const amount of parts)
      booked.push(...(await books().entries((await giveUp(id, { amount })).id)))
    expect(booked).toEqual([
      'debt.written_off 2026-03-01\n6800 2921 3333 USD\n1100 -2921 -3333 USD',
      'debt.written_off 2026-03-01\n6800 2921 3333 USD\n1100 -2921 -3333 USD',
      'debt.written_off 2026-03-01\n6800 2923 3334 USD\n1100 -2923 -3334 USD',
    ])
    expect(await books().open(id)).toEqual([0n, 0n])
    expect((await books().find(id)).status).toBe('closed')
    await books().check()
  })

  it('takes its share of the tax back, and all parts together take all of it', async () => {
    const id = await invoice(300n, { taxMinor: 50n })
    const shares: string[] = []
    for (let part = 0; part < 3; part += 1) {
      const given = await giveUp(id, { amount: '1', claimsTaxRelief: true })
      shares.push(...(await books().entries(given.id)))
    }
    expect(shares).toEqual([
      'debt.written_off_net 2026-03-01\n6800 83 83 EUR\n2100 17 17 EUR\n1100 -100 -100 EUR',
      'debt.written_off_net 2026-03-01\n6800 84 84 EUR\n2100 16 16 EUR\n1100 -100 -100 EUR',
      'debt.written_off_net 2026-03-01\n6800 83 83 EUR\n2100 17 17 EUR\n1100 -100 -100 EUR',
    ])
    await books().check()
  })

  it('takes back all of the tax in the base currency too, in however many parts', async () => {
    const id = await invoice(12000n, { taxMinor: 2000n, currency: 'USD', fxRate: '0.5' })
    const taxes: string[] = []
    for (let part = 0; part < 12; part += 1) {
      const given = await giveUp(id, { amount: '10', claimsTaxRelief: true })
      const [entry = ''] = await books().entries(given.id)
      taxes.push(...entry.split('\n').filter((line) => line.startsWith('2100 ')))
    }
    const baseMinor = taxes.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0)
    expect(baseMinor).toBe(1000)
    expect(await books().open(id)).toEqual([0n, 0n])
    await books().check()
  })

  it('is not more than is open, nor nothing, nor finer than the currency', async () => {
    const id = await invoice(10000n)
    await pay('90', [[id, '90']])
    expect(await refusal(giveUp(id, { amount: '10.01' }))).toBe(
      'Only 10.00 EUR of invoice-1 is open.',
    )
    expect(await refusal(giveUp(id, { amount: '0' }))).toContain('Must be a number')
    expect(await refusal(giveUp(id, { amount: '1.001' }))).toBe('EUR has 2 decimals.')
    await giveUp(id, { amount: '10.00' })
    expect(await refusal(giveUp(id))).toBe('Nothing of invoice-1 is open.')
  })

  it('is of an invoice, and decided by those who approve', async () => {
    const bill = await invoice(10000n, { kind: 'bill' })
    expect(await refusal(giveUp(bill))).toContain('This is not an invoice.')
    const { context } = world()
    const wanted = { documentId: await invoice(10000n), date: '2026-03-01' }
    const work = runOperation(writeOffInvoice, context, books().person('member'), wanted)
    await expect(work).rejects.toMatchObject({ kind: 'permission_denied' })
  })
})

describe('a bill', () => {
  it.each([
    ['bill', '2000'],
    ['expense_claim', '2050'],
  ] as const)('is not owed any more, in part or whole: %s', async (kind, control) => {
    const id = await invoice(10000n, { kind, currency: 'USD', fxRate: '0.9' })
    const some = await remit(id, { amount: '0.01' })
    expect((await books().find(id)).status).toBe('partially_paid')
    expect(await books().entries(some.id)).toEqual([
      `debt.written_off 2026-03-01\n4900 -1 -1 USD\n${control} 1 1 USD`,
    ])
    const rest = await remit(id)
    expect(await books().find(id)).toMatchObject({ status: 'closed', writtenOffMinor: 10000n })
    expect(await books().entries(rest.id)).toEqual([
      `debt.written_off 2026-03-01\n4900 -8999 -9999 USD\n${control} 8999 9999 USD`,
    ])
    expect(await books().open(id)).toEqual([0n, 0n])
    expect(await books().events(id)).toEqual([])
    await books().check()
  })

  it('owes the tax back that was deducted, where that is said', async () => {
    const id = await invoice(11900n, { kind: 'bill', taxMinor: 1900n })
    const given = await remit(id, { amount: '59.50', claimsTaxRelief: true })
    expect(await books().entries(given.id)).toEqual([
      'debt.written_off_net 2026-03-01\n4900 -5000 -5000 EUR\n2100 -950 -950 EUR\n2000 5950 5950 EUR',
    ])
    await books().check()
  })

  it('is owed again when that is removed', async () => {
    const id = await invoice(10000n, { kind: 'bill' })
    const { id: paymentId } = await remit(id, { amount: '40' })
    await runOperation(removePayment, world().context, books().owner, {
      paymentId,
      date: '2026-03-05',
    })
    expect(await books().find(id)).toMatchObject({ status: 'approved', writtenOffMinor: 0n })
    expect(await books().open(id)).toEqual([-10000n, -10000n])
    await books().check()
  })

  it('is a bill or claim, and the gain stands where results do', async () => {
    expect(await refusal(remit(await invoice(10000n)))).toBe('It is not a bill.')
    const credit = await invoice(10000n, { kind: 'supplier_credit' })
    expect(await refusal(remit(credit))).toBe('It is not a bill.')
    const id = await invoice(10000n, { kind: 'bill' })
    const on = (code: string) => refusal(remit(id, { accountId: books().accountId(code) }))
    expect(await on('1000')).toBe('Choose an income or expense account.')
    expect(await on('1100')).toBe('Only documents and payments post to a control account.')
  })
})

it('keeps everything that must hold, with real documents and their taxes', async () => {
  const { context } = world()
  const real = await newBooks(world())
  const taxCodeId = (await real.taxCode('19')).id
  const lines = [{ description: 'Work', unitPrice: '33.33', taxCodeId }]
  const invoice = await real.draft('invoice', { lines, date: '2026-01-10' })
  await runOperation(issueDocument, context, real.owner, { id: invoice.id })
  const bill = await real.draft('bill', { lines, date: '2026-01-10' })
  await runOperation(approveDocument, context, real.owner, { id: bill.id })
  for (const amount of ['0.01', '13.13', undefined]) {
    const about = { date: '2026-02-01', claimsTaxRelief: true, ...(amount && { amount }) }
    await runOperation(writeOffInvoice, context, real.owner, { ...about, documentId: invoice.id })
    const accountId = real.account('6300')
    await runOperation(writeOffBill, context, real.owner, {
      ...about,
      documentId: bill.id,
      accountId,
    })
  }
  // All of the tax has come back.
  const [row] = await world().database.sql<{ baseMinor: bigint }[]>`
    select sum(base_minor)::bigint as base_minor
    from books.journal_lines
    where business_id = ${real.businessId}
      and account_id = ${real.account('2100')}`
  expect(row?.baseMinor).toBe(0n)
  await books().check()
})
