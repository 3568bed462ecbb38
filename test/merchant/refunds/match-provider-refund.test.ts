// Which entry of the provider's list is a refund of ours, without a provider.
import { describe, expect, it } from 'vitest'
import { parseDecimal } from '../../../src/kernel/money/decimal.ts'
import type { RefundFact } from '../../../src/merchant/provider/provider.ts'
import { matchProviderRefund } from '../../../src/merchant/refunds/match-provider-refund.ts'
import type { Refund } from '../../../src/merchant/refunds/refund.ts'

const at = new Date('2026-03-01T12:00:00Z')
const sent: Refund = {
  id: 'b',
  paymentId: 'p',
  status: 'pending',
  amountMinor: 40_000n,
  currency: 'NGN',
  cause: 'requested',
  transactionId: null,
  requestedByKind: 'key',
  requestedBy: 'k',
  approvalId: null,
  providerRefundId: null,
  failureReason: null,
  sends: 1,
  namedEntry: null,
  lookupOnly: false,
  firstAbsentAt: null,
  givenUpAt: null,
  listedBefore: [],
  thresholdMinor: 100_000n,
  overdraftLeftMinor: null,
  nextLookAt: null,
  createdAt: at,
  updatedAt: at,
}

function entry(refundId: string, status: RefundFact['status'], amount = '400'): RefundFact {
  const parsed = parseDecimal(amount)
  if (!parsed) throw new Error(`no amount: ${amount}`)
  return { refundId, transactionId: 't', amount: parsed, status }
}

const find = (changes: Partial<Refund>, facts: readonly RefundFact[], others: Refund[] = []) =>
  matchProviderRefund({ ...sent, ...changes }, [...others, { ...sent, ...changes }], facts)

describe('a refund that was sent', () => {
  it('is the living entry of its amount, however that is written', () => {
    const ours = entry('1', 'accepted', '400.00')
    expect(find({}, [ours])).toEqual({ kind: 'ours', fact: ours, others: [] })
  })

  it('is absent when the list is empty', () => {
    expect(find({}, [])).toEqual({ kind: 'absent', others: [] })
  })

  it('is none of the entries that another refund of ours has', () => {
    const other = { ...sent, id: 'a', status: 'settled', providerRefundId: '1' } as const
    expect(find({}, [entry('1', 'settled')], [other])).toEqual({ kind: 'absent', others: [] })
  })

  it('is none of the entries that were there before', () => {
    const earlier = entry('1', 'settled')
    expect(find({ listedBefore: ['1'] }, [earlier])).toEqual({ kind: 'absent', others: [earlier] })
  })

  it('is unclear beside a living entry of another amount', () => {
    const strange = entry('1', 'accepted', '395')
    expect(find({}, [strange])).toEqual({ kind: 'unclear', others: [strange] })
  })

  it('is rather one that lives than one that failed', () => {
    const found = find({}, [entry('1', 'failed'), entry('2', 'accepted')])
    expect(found).toMatchObject({ kind: 'ours', fact: { refundId: '2' }, others: [] })
  })

  it('is one of two equal entries, and the other is left over', () => {
    const found = find({}, [entry('1', 'accepted'), entry('2', 'settled')])
    expect(found).toMatchObject({ fact: { refundId: '1' }, others: [{ refundId: '2' }] })
  })

  it('is a failed entry that came after the send', () => {
    expect(find({}, [entry('1', 'failed')])).toMatchObject({
      kind: 'ours',
      fact: { refundId: '1' },
    })
  })

  it('is not a failed entry that was there before', () => {
    expect(find({ listedBefore: ['1'] }, [entry('1', 'failed')]).kind).toBe('absent')
  })

  it('is unclear beside a failed entry when no one looked before the send', () => {
    expect(find({ listedBefore: null }, [entry('1', 'failed')]).kind).toBe('unclear')
  })

  it('is absent beside a failed entry of another amount', () => {
    expect(find({}, [entry('1', 'failed', '395')]).kind).toBe('absent')
  })

  it('is the entry of its id once it has one, and no other', () => {
    const facts = [entry('1', 'settled'), entry('2', 'failed')]
    expect(find({ providerRefundId: '2' }, facts)).toMatchObject({ fact: { refundId: '2' } })
    expect(find({ providerRefundId: '3' }, facts).kind).toBe('absent')
  })
})

describe('a refund that was never sent', () => {
  const unsent = { sends: 0, listedBefore: null }

  it('is absent, whatever stands there', () => {
    const there = [entry('1', 'settled'), entry('2', 'failed')]
    expect(find(unsent, there)).toEqual({ kind: 'absent', others: there })
  })

  it('was paid by hand when the system owes it and its amount stands there', () => {
    const owed = { ...unsent, cause: 'overpayment' } as const
    expect(find(owed, [entry('1', 'settled')])).toMatchObject({ kind: 'ours' })
    expect(find(owed, [entry('1', 'settled', '395')]).kind).toBe('unclear')
    expect(find(owed, [entry('1', 'failed')]).kind).toBe('absent')
  })
})
