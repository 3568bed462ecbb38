// The arithmetic of tax relief for partial write-offs that are removed in any order. The postings
// are in write-off-relief.test.ts.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TaxPart } from '../../../src/books/payments/settlement-posting.ts'
import { taxRelief } from '../../../src/books/payments/tax-relief.ts'

type Amounts = { readonly amountMinor: bigint; readonly baseMinor: bigint }

const loss = { accountId: 'loss', taxCodeId: null }
const taxOf = (index: number) => ({ accountId: 'tax', taxCodeId: `code ${index}` })
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n)
const size = (minor: bigint) => (minor < 0n ? -minor : minor)

// Every part is given up with all that it books, in the journal's signs.
function createDocument(sign: bigint, net: Amounts, taxes: readonly Amounts[]) {
  const parts = [net, ...taxes]
  const whole = {
    amountMinor: sign * sum(parts.map(({ amountMinor }) => amountMinor)),
    baseMinor: sign * sum(parts.map(({ baseMinor }) => baseMinor)),
  }
  const booked: TaxPart[] = taxes.map((tax, index) => ({
    ...taxOf(index),
    amountMinor: -sign * tax.amountMinor,
    baseMinor: -sign * tax.baseMinor,
  }))
  let standing: { part: Amounts; taxes: TaxPart[] }[] = []
  const givenUp = () =>
    standing.flatMap(({ part, taxes: own }) => [
      ...own,
      {
        ...loss,
        amountMinor: part.amountMinor - sum(own.map(({ amountMinor }) => amountMinor)),
        baseMinor: part.baseMinor - sum(own.map(({ baseMinor }) => baseMinor)),
      },
    ])
  const open = (unit: keyof Amounts) => whole[unit] - sum(standing.map(({ part }) => part[unit]))
  return {
    booked,
    standing: () => standing,
    openMinor: () => sign * open('amountMinor'),
    // The base amount goes with the share, and the last takes what is left.
    giveUp(amountMinor: bigint): TaxPart[] {
      const isRest = sign * amountMinor === open('amountMinor')
      const share = (amountMinor * size(whole.baseMinor)) / size(whole.amountMinor)
      const left = open('baseMinor')
      const baseMinor = isRest ? left : sign * (share > size(left) ? size(left) : share)
      const part = { amountMinor: sign * amountMinor, baseMinor }
      const own = taxRelief({ whole, booked, givenUp: givenUp() }, part)
      standing = [...standing, { part, taxes: own }]
      return own
    },
    remove(index: number) {
      standing = standing.filter((_, at) => at !== index)
    },
    taken: (index: number, unit: keyof Amounts) =>
      sum(standing.map(({ taxes: own }) => own[index]?.[unit] ?? 0n)),
  }
}

const minor = (max: bigint) => fc.bigInt({ min: 0n, max })
const amounts = (max: bigint) => fc.record({ amountMinor: minor(max), baseMinor: minor(max) })
const steps = fc.array(fc.record({ removes: fc.boolean(), roll: fc.nat({ max: 1_000_000 }) }), {
  minLength: 1,
  maxLength: 30,
})
const whole = fc.record({
  sign: fc.constantFrom(1n, -1n),
  net: fc.record({
    amountMinor: fc.bigInt({ min: 1n, max: 5000n }),
    baseMinor: fc.bigInt({ min: 1n, max: 5000n }),
  }),
  taxes: fc.array(amounts(2000n), { minLength: 1, maxLength: 3 }),
  steps,
})

type Made = ReturnType<typeof createDocument>

function within({ booked, taken }: Made): void {
  for (const [index, tax] of booked.entries()) {
    for (const unit of ['amountMinor', 'baseMinor'] as const) {
      const back = -taken(index, unit)
      const [least, most] = tax[unit] < 0n ? [tax[unit], 0n] : [0n, tax[unit]]
      expect(back >= least && back <= most, `${back} of ${tax[unit]}`).toBe(true)
    }
  }
}

function run(document: Made, all: readonly { removes: boolean; roll: number }[]): void {
  for (const { removes, roll } of all) {
    const count = document.standing().length
    const openMinor = document.openMinor()
    if (removes && count > 0) document.remove(roll % count)
    else if (openMinor > 0n) document.giveUp(1n + (BigInt(roll) % openMinor))
    within(document)
  }
}

function giveUpRest(document: Made): void {
  if (document.openMinor() > 0n) document.giveUp(document.openMinor())
}

describe('tax that comes back', () => {
  it('is never more than was booked, and all of it with the last part', () => {
    const property = fc.property(whole, ({ sign, net, taxes, steps: all }) => {
      const document = createDocument(sign, net, taxes)
      run(document, all)
      giveUpRest(document)
      for (const [index, tax] of document.booked.entries()) {
        expect(document.taken(index, 'amountMinor')).toBe(-tax.amountMinor)
        expect(document.taken(index, 'baseMinor')).toBe(-tax.baseMinor)
      }
    })
    fc.assert(property, { numRuns: 500 })
  })

  it('is less than a unit from its exact share, as long as nothing was removed', () => {
    const property = fc.property(whole, ({ sign, net, taxes, steps: all }) => {
      const document = createDocument(sign, net, taxes)
      const wholeMinor = document.openMinor()
      for (const { roll } of all) {
        if (document.openMinor() === 0n) break
        document.giveUp(1n + (BigInt(roll) % document.openMinor()))
        const givenMinor = wholeMinor - document.openMinor()
        for (const [index, tax] of taxes.entries()) {
          const exact = tax.amountMinor * givenMinor
          const apart = sign * document.taken(index, 'amountMinor') * wholeMinor - exact
          expect(size(apart) < wholeMinor).toBe(true)
        }
      }
    })
    fc.assert(property, { numRuns: 300 })
  })

  it('is never more than the write-off, even if removals left a difference', () => {
    const property = fc.property(whole, ({ sign, net, taxes, steps: all }) => {
      const document = createDocument(sign, net, taxes)
      run(document, all)
      for (const { part, taxes: own } of document.standing()) {
        for (const unit of ['amountMinor', 'baseMinor'] as const) {
          expect(own.every((tax) => sign * tax[unit] >= 0n)).toBe(true)
          expect(sign * sum(own.map((tax) => tax[unit])) <= sign * part[unit]).toBe(true)
        }
      }
    })
    fc.assert(property, { numRuns: 300 })
  })

  it('keeps to each tax where taxes of both signs stand on one document', () => {
    const both = fc.record({
      amountMinor: fc.bigInt({ min: -2000n, max: 2000n }),
      baseMinor: fc.bigInt({ min: -2000n, max: 2000n }),
    })
    const mixed = fc.record({ sign: fc.constantFrom(1n, -1n), taxes: fc.array(both), steps })
    const property = fc.property(mixed, ({ sign, taxes, steps: all }) => {
      const least = { amountMinor: 1n, baseMinor: 1n }
      const net = {
        amountMinor: least.amountMinor - sum(taxes.map((tax) => tax.amountMinor)) + 100n,
        baseMinor: least.baseMinor - sum(taxes.map((tax) => tax.baseMinor)) + 100n,
      }
      const document = createDocument(sign, net, taxes)
      run(document, all)
      giveUpRest(document)
      for (const [index, tax] of document.booked.entries()) {
        expect(document.taken(index, 'amountMinor')).toBe(-tax.amountMinor)
        expect(document.taken(index, 'baseMinor')).toBe(-tax.baseMinor)
      }
    })
    fc.assert(property, { numRuns: 300 })
  })

  it('is nothing where the whole is worth nothing in the base currency', () => {
    const net = { amountMinor: 4n, baseMinor: 0n }
    const document = createDocument(1n, net, [{ amountMinor: 1n, baseMinor: 0n }])
    expect(document.giveUp(5n)).toEqual([{ ...taxOf(0), amountMinor: 1n, baseMinor: 0n }])
  })
})
