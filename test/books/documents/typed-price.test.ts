// What the editor shows while a person types is what is stored, to the last minor unit.
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createDocument } from '../../../src/books/documents/create-document.ts'
import { getEditorFacts } from '../../../src/books/documents/get-editor-facts.ts'
import { typedNumber } from '../../../src/books/documents/typed-price.ts'
import { taxLabel } from '../../../src/books/taxes/tax-label.ts'
import { toText } from '../../../src/kernel/money/decimal.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { inputOf } from '../../../src/web/editor/editor-input.ts'
import {
  blankLine,
  computeState,
  type EditorState,
  type LineState,
} from '../../../src/web/editor/editor-state.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let books: Books

beforeAll(async () => {
  books = await newBooks(world())
  await books.contact({ name: 'Acme' })
  const usual = await books.taxCode('7.5', { name: 'Usual' })
  await books.contact({ name: 'Birch', salesTaxCodeId: usual.id, currency: 'JPY' })
  await books.taxCode('20', { name: 'On top' })
  await books.taxCode('19', { name: 'Inside', isInclusive: true })
  await books.taxCode('0', {
    name: 'Two parts',
    components: [
      { name: 'State', rate: '5' },
      { name: 'City', rate: '9.975', isCompound: true },
    ],
  })
  await books.item({ code: 'W', name: 'Widget', salesTaxCodeId: usual.id })
})

const number = (max: number, places: number) =>
  fc
    .tuple(fc.integer({ min: 1, max }), fc.integer({ min: 0, max: places }))
    .map(([digits, scale]) => {
      const text = String(digits).padStart(scale + 1, '0')
      return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`
    })

const anyLine: fc.Arbitrary<LineState> = fc.record({
  item: fc.constantFrom('', 'W'),
  description: fc.constant('Work'),
  quantity: fc.oneof(fc.constant(''), number(99_999, 3)),
  unitPrice: number(9_999_999, 4),
  discountPct: fc.constantFrom('', '10', '2.5', '33.33', '100'),
  account: fc.constant('4000'),
  taxCode: fc.constantFrom('', 'On top', 'Inside', 'Two parts', 'Usual'),
})

const anyState: fc.Arbitrary<EditorState> = fc.record({
  contact: fc.constantFrom('Acme', 'Birch'),
  date: fc.constant('2026-03-01'),
  until: fc.constant(''),
  reference: fc.constant(''),
  currency: fc.constantFrom('', 'EUR', 'JPY', 'KWD', 'USD'),
  fxRate: fc.constant(''),
  notes: fc.constant(''),
  lines: fc.array(anyLine, { minLength: 1, maxLength: 8 }),
})

describe.each(['line', 'document'] as const)('with tax rounded by %s', (rounding) => {
  it('shows what is stored', async () => {
    await books.set({ tax_rounding: rounding })
    const facts = await runOperation(getEditorFacts, world().context, books.owner, {
      side: 'sales',
    })
    await fc.assert(
      fc.asyncProperty(anyState, async (state) => {
        const { currency, price } = computeState(state, facts)
        const input = { kind: 'invoice' as const, ...inputOf(state, facts) }
        const document = await runOperation(createDocument, world().context, books.owner, input)
        expect({
          currency: document.currency,
          total: document.totalMinor,
          tax: document.taxTotalMinor,
          nets: document.lines.map(({ netMinor }) => netMinor),
        }).toEqual({
          currency,
          total: price.totalMinor,
          tax: price.taxTotalMinor,
          nets: price.lines.map((line) => line?.netMinor),
        })
      }),
      { numRuns: 40 },
    )
  })
})

it.each([
  ['1,234.50', '1234.5'],
  ['1.234,50', '1234.5'],
  ['-2.665', '-2.665'],
  ['−3', '-3'],
  ['0.000001', '0.000001'],
  ['1 234', '1234'],
])('reads %s', (text, expected) => {
  const value = typedNumber(text)
  expect(value && toText(value)).toBe(expected)
})

it.each([
  ['VAT', '20', 'VAT 20 %'],
  ['VAT 20%', '20', 'VAT 20%'],
  ['TVA 5,5 %', '5.5', 'TVA 5,5 %'],
  ['VAT 120', '20', 'VAT 120 20 %'],
  ['VAT 7.5%', '5', 'VAT 7.5% 5 %'],
])('calls %s of %s %% “%s”', (name, rate, label) => {
  expect(taxLabel(name, rate)).toBe(label)
})

it('leaves unfinished lines out of the total', () => {
  const facts = {
    ...{ baseCurrency: 'EUR', taxRounding: 'line' as const, today: '2026-03-01' },
    ...{ contacts: [], mergedContacts: {}, items: [], accounts: [], taxCodes: [] },
    ...{ rates: {}, ratesSince: null },
    organisation: { accountId: null, taxCodeId: null },
    hasAll: { contacts: true, items: true },
  }
  const lines = [
    { ...blankLine, unitPrice: '10' },
    { ...blankLine, unitPrice: '1o' },
    { ...blankLine, unitPrice: '5' },
  ]
  const head = { contact: '', date: '', until: '', reference: '', currency: '', fxRate: '' }
  const { price } = computeState({ ...head, notes: '', lines }, facts)
  expect(price.totalMinor).toBe(1500n)
  expect(price.lines.map((line) => line?.netMinor)).toEqual([1000n, undefined, 500n])
})
