// Refunding a credit needs an approver, with every operation.

import { describe, expect, it } from 'vitest'
import { recordPayment } from '../../../src/books/payments/record-payment.ts'
import { refundCredit } from '../../../src/books/payments/refund-credit.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { usePaying } from '../../support/paying.ts'

const { world, books, contactId, invoice, pay, refusal } = usePaying()

const record = (role: 'member' | 'approver', direction: 'in' | 'out', itemId?: string) =>
  runOperation(recordPayment, world().context, books().person(role), {
    ...{ direction, contactId: contactId(), date: '2026-01-20', currency: 'EUR', amount: '50' },
    accountId: books().accountId('1000'),
    allocations: itemId === undefined ? [] : [{ itemId, amount: '50' }],
  })

const refused = 'Only an owner, admin or approver can do this. Ask one of them.'

describe('what is paid back', () => {
  it.each([
    ['a credit note', 'credit_note', 'out'],
    ['a supplier credit', 'supplier_credit', 'in'],
  ] as const)('of %s is not for members', async (_what, kind, direction) => {
    const id = await invoice(10000n, { kind })
    const refund = { itemId: id, date: '2026-01-20', accountId: books().accountId('1000') }
    const member = books().person('member')
    expect(await refusal(runOperation(refundCredit, world().context, member, refund))).toBe(refused)
    expect(await refusal(record('member', direction, id))).toBe(refused)
    await record('approver', direction, id)
    expect((await books().find(id)).paidMinor).toBe(5000n)
  })

  it('of an overpayment is not for members', async () => {
    const { id } = await pay('50')
    expect(await refusal(record('member', 'out', id))).toBe(refused)
    await record('approver', 'out', id)
    expect(await books().open(id)).toEqual([0n, 0n])
  })
})

it('members pay what is owed, and in advance', async () => {
  const bill = await invoice(10000n, { kind: 'bill' })
  await record('member', 'out', bill)
  await record('member', 'in', await invoice(5000n))
  await record('member', 'out')
  expect((await books().find(bill)).paidMinor).toBe(5000n)
  await books().check()
})
