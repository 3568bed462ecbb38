import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type DocumentFacts,
  documentKinds,
  documentStatus,
  isCredit,
  isSale,
} from '../../../src/books/documents/document-status.ts'

const moment = new Date(0)
const anyMoment = fc.constantFrom(null, moment)
const anyShare = fc.bigInt({ min: 0n, max: 3n })

// Settled only when in the books, and never beyond the total.
const anyFacts: fc.Arbitrary<DocumentFacts> = fc
  .record({
    kind: fc.constantFrom(...documentKinds),
    submittedAt: anyMoment,
    approvedAt: anyMoment,
    postedAt: anyMoment,
    sentAt: anyMoment,
    voidedAt: anyMoment,
    paidMinor: anyShare,
    creditedMinor: anyShare,
    writtenOffMinor: anyShare,
    restMinor: anyShare,
  })
  .map(({ restMinor, ...facts }) => {
    const { paidMinor, creditedMinor, writtenOffMinor } = facts
    return { ...facts, totalMinor: paidMinor + creditedMinor + writtenOffMinor + restMinor }
  })

it('follows from the facts alone, as the table of statuses says', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const status = documentStatus(facts)
      expect(documentStatus({ ...facts })).toBe(status)
      const { kind, totalMinor, paidMinor, creditedMinor, writtenOffMinor } = facts
      const settledMinor = paidMinor + creditedMinor + writtenOffMinor
      const dueMinor = totalMinor - settledMinor
      expect(status === 'void').toBe(facts.voidedAt !== null)
      if (facts.voidedAt) return
      const isOpen = ['draft', 'awaiting_approval', 'approved'].includes(status)
      if (!facts.postedAt) expect(isOpen).toBe(true)
      else if (isSale(kind)) expect(isOpen).toBe(false)
      if (!facts.postedAt) {
        expect(status === 'approved').toBe(facts.approvedAt !== null)
        return
      }
      expect(status === 'partially_paid').toBe(settledMinor > 0n && dueMinor > 0n)
      expect(['paid', 'closed'].includes(status)).toBe(dueMinor === 0n)
      if (status === 'paid') {
        expect(isCredit(kind)).toBe(false)
        expect(paidMinor > 0n || totalMinor === 0n).toBe(true)
        expect(writtenOffMinor).toBe(0n)
      }
      if (status === 'closed' && !isCredit(kind)) {
        expect(paidMinor === 0n || writtenOffMinor > 0n).toBe(true)
      }
      if (status === 'sent') expect(facts.sentAt).not.toBeNull()
      if (status === 'posted') expect(facts.sentAt).toBeNull()
    }),
  )
})
