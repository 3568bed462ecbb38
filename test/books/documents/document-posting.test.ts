import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DocumentLine } from '../../../src/books/documents/document.ts'
import {
  type DocumentToPost,
  documentPosting,
} from '../../../src/books/documents/document-posting.ts'
import { documentKinds } from '../../../src/books/documents/document-status.ts'
import { assertPostable } from '../../../src/books/journal/journal-entry.ts'

const accounts = {
  baseCurrency: 'EUR',
  controlAccountId: 'control',
  taxAccountIds: new Map([
    ['vat', ['tax']],
    ['city', ['tax']],
    ['withheld', ['tax', 'withheld']],
  ]),
}

let positions = 0

function line(netMinor: bigint, taxMinor = 0n, fields: Partial<DocumentLine> = {}): DocumentLine {
  positions += 1
  return {
    id: `${positions}`,
    position: positions,
    itemId: null,
    description: `Line ${positions}`,
    quantity: '1',
    unitPrice: '1',
    discountPct: '0',
    accountId: 'income',
    taxCodeId: taxMinor === 0n ? null : 'vat',
    taxes: taxMinor === 0n ? [] : [{ name: 'VAT', rate: '20', taxMinor }],
    netMinor,
    taxMinor,
    grossMinor: netMinor + taxMinor,
    ...fields,
  }
}

function document(
  lines: readonly DocumentLine[],
  fields: Partial<DocumentToPost> = {},
): DocumentToPost {
  return {
    id: 'document',
    kind: 'invoice',
    contactId: 'contact',
    currency: 'EUR',
    fxRate: '1',
    totalMinor: lines.reduce((total, { grossMinor }) => total + grossMinor, 0n),
    lines,
    ...fields,
  }
}

function amounts(posted: DocumentToPost) {
  return documentPosting(posted, accounts).lines.map(({ accountId, baseMinor, amountMinor }) => [
    accountId,
    baseMinor,
    amountMinor,
  ])
}

describe('a posting', () => {
  it('books each component of a tax on its account, those of one account as one', () => {
    const withheld = (netMinor: bigint, ...taxes: [bigint, bigint]) =>
      line(netMinor, taxes[0] + taxes[1], {
        taxCodeId: 'withheld',
        taxes: taxes.map((taxMinor) => ({ name: 'T', rate: '0', taxMinor })),
      })
    const lines = [withheld(1000n, 75n, -50n), withheld(200n, 15n, -10n), line(100n, 20n)]
    expect(amounts(document(lines))).toEqual([
      ['control', 1350n, 1350n],
      ['income', -1000n, -1000n],
      ['income', -200n, -200n],
      ['income', -100n, -100n],
      ['tax', -90n, -90n],
      ['withheld', 60n, 60n],
      ['tax', -20n, -20n],
    ])
  })

  it.each([
    ['invoice', 1n],
    ['credit_note', -1n],
    ['bill', -1n],
    ['supplier_credit', 1n],
    ['expense_claim', -1n],
  ] as const)(
    'of the kind %s has its total on the control account with the sign %s',
    (kind, sign) => {
      const posted = documentPosting(document([line(10_000n, 2_000n)], { kind }), accounts)
      expect(posted).toMatchObject({
        controlMinor: sign * 12_000n,
        controlBaseMinor: sign * 12_000n,
      })
      expect(posted.lines).toMatchObject([
        { accountId: 'control', baseMinor: sign * 12_000n, openItemId: 'document' },
        { accountId: 'income', baseMinor: sign * -10_000n, openItemId: null, taxCodeId: 'vat' },
        { accountId: 'tax', baseMinor: sign * -2_000n, openItemId: null, taxCodeId: 'vat' },
      ])
    },
  )

  it('gives what rounding leaves over to the largest other line, of equals to the first', () => {
    const lines = [1, 2, 3].map(() => line(3333n, 667n))
    expect(amounts(document(lines, { currency: 'USD', fxRate: '0.8765' }))).toEqual([
      ['control', 10_518n, 12_000n],
      ['income', -2922n, -3333n],
      ['income', -2921n, -3333n],
      ['income', -2921n, -3333n],
      ['tax', -1754n, -2001n],
    ])
  })

  it('has one line for the tax of each code', () => {
    const lines = [line(100n, 20n), line(100n, 20n), line(100n, 1n, { taxCodeId: 'city' })]
    const posted = documentPosting(document(lines), accounts).lines.slice(4)
    expect(posted.map(({ taxCodeId, baseMinor }) => [taxCodeId, baseMinor])).toEqual([
      ['vat', -40n],
      ['city', -1n],
    ])
  })

  it('has no lines when it moves nothing', () => {
    expect(documentPosting(document([line(0n)]), accounts).lines).toEqual([])
  })

  it('moves between accounts what comes to nothing in all', () => {
    const lines = [line(100n), line(-100n, 0n, { accountId: 'other' })]
    expect(amounts(document(lines))).toEqual([
      ['income', -100n, -100n],
      ['other', 100n, 100n],
    ])
  })

  it('cuts long descriptions at 500 characters, none of them in two', () => {
    const description = '🛒'.repeat(501)
    const posted = documentPosting(document([line(1n, 0n, { description })]), accounts)
    expect(posted.lines[1]?.description).toBe('🛒'.repeat(500))
  })

  it('balances in both currencies, whatever the rate', () => {
    const anyLine = fc
      .tuple(
        fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }),
        fc.bigInt({ min: -(10n ** 8n), max: 10n ** 8n }),
        fc.constantFrom('income', 'other'),
      )
      .map(([net, tax, accountId]) => line(net, tax, { accountId }))
    fc.assert(
      fc.property(
        fc.array(anyLine, { minLength: 1, maxLength: 20 }),
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
        fc.constantFrom(...documentKinds),
        (lines, rateDigits, kind) => {
          const fxRate = `${rateDigits / 10n ** 8n}.${String(rateDigits % 10n ** 8n).padStart(8, '0')}`
          const whole = document(lines, { kind, currency: 'USD', fxRate })
          const posted = documentPosting(whole, accounts)
          const sum = (field: 'baseMinor' | 'amountMinor') =>
            posted.lines.reduce((total, one) => total + one[field], 0n)
          expect([sum('baseMinor'), sum('amountMinor')]).toEqual([0n, 0n])
          const control = posted.lines.find(({ openItemId }) => openItemId !== null)
          expect(control?.baseMinor ?? 0n).toBe(posted.controlBaseMinor)
          expect(control?.amountMinor ?? 0n).toBe(posted.controlMinor)
          expect(posted.lines.length === 1).toBe(false)
        },
      ),
    )
  })
})

it('a posting of 200 lines, each with its own tax code of five accounts, is one entry', () => {
  const codes = Array.from({ length: 200 }, (_, index) => `code ${index}`)
  const taxAccountIds = new Map(
    codes.map((code) => [code, Array.from({ length: 5 }, (_, index) => `${code} tax ${index}`)]),
  )
  const taxes = Array.from({ length: 5 }, () => ({ name: 'Tax', rate: '1', taxMinor: 1n }))
  const lines = codes.map((taxCodeId) => line(100n, 5n, { taxCodeId, taxes }))
  const posted = documentPosting(document(lines), { ...accounts, taxAccountIds })
  expect(posted.lines).toHaveLength(1201)
  const entry = { kind: 'invoice.issued', sourceId: 'document', date: '2026-01-01' }
  assertPostable({ ...entry, reversesSequence: null, description: '', lines: posted.lines })
})
