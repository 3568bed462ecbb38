// The postings of settling, without a database: every row of the table of facts, and that every
// entry balances and nothing is left in either currency.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type JournalLine, tidyLines } from '../../../src/books/journal/journal-entry.ts'
import { convertMinor, type OpenItem } from '../../../src/books/payments/open-item.ts'
import { openItemOf, type Payment, rateBetween } from '../../../src/books/payments/payment.ts'
import {
  type Allocated,
  allocateItems,
  allocationLines,
  moneyLines,
  releaseItems,
  type SettlementAccounts,
  writeOffLines,
} from '../../../src/books/payments/settlement-posting.ts'

const accounts: SettlementAccounts = {
  baseCurrency: 'EUR',
  fxRealisedId: 'fx',
  paymentFeesId: 'fees',
}

function invoice(amountMinor: bigint, overrides: Partial<OpenItem> = {}): OpenItem {
  const { currency = 'USD', fxRate = '0.92' } = overrides
  const baseMinor = convertMinor(amountMinor, currency, fxRate, 'EUR')
  return {
    id: 'invoice',
    source: 'document',
    accountId: 'receivable',
    contactId: 'contact',
    currency,
    date: '2026-01-10',
    dueDate: '2026-02-09',
    fxRate,
    amountMinor,
    baseMinor,
    openMinor: amountMinor,
    openBaseMinor: baseMinor,
    ...overrides,
  }
}

function payment(amountMinor: bigint, overrides: Partial<Payment> = {}): Payment {
  const { currency = 'USD', fxRate = '0.93' } = overrides
  return {
    id: 'payment',
    direction: 'in',
    method: 'cash',
    contactId: 'contact',
    date: '2026-01-20',
    currency,
    amountMinor,
    fxRate,
    baseMinor: convertMinor(amountMinor, currency, fxRate, 'EUR'),
    accountId: 'bank',
    accountCurrency: null,
    accountAmountMinor: null,
    feeMinor: 0n,
    reference: null,
    externalId: null,
    removedAt: null,
    createdByKind: 'system',
    createdBy: 'test',
    createdAt: new Date(0),
    ...overrides,
  }
}

// Account, open item where there is one, base amount, amount and currency.
function printed(lines: readonly JournalLine[]): string[] {
  return lines.map(({ accountId, openItemId, baseMinor, amountMinor, currency }) =>
    [openItemId ? `${accountId}:${openItemId}` : accountId, baseMinor, amountMinor, currency].join(
      ' ',
    ),
  )
}

// What an entry books that records a payment and uses it at once.
function entryOf(
  paid: Payment,
  items: readonly (readonly [OpenItem, bigint])[],
  accountCurrency = 'EUR',
): { lines: JournalLine[]; rest: OpenItem; items: OpenItem[] } {
  let rest = openItemOf(paid, items[0]?.[0].accountId ?? 'receivable')
  const lines = moneyLines(paid, rest, accountCurrency, accounts)
  const after: OpenItem[] = []
  for (const [item, amountMinor] of items) {
    const allocated = between(item, rest, amountMinor)
    lines.push(...allocationLines(allocated, accounts))
    rest = paid.direction === 'in' ? allocated.credit : allocated.debit
    after.push(paid.direction === 'in' ? allocated.debit : allocated.credit)
  }
  return { lines: tidyLines(lines), rest, items: after }
}

function between(one: OpenItem, other: OpenItem, amountMinor: bigint): Allocated {
  const [debit, credit] = one.amountMinor > 0n ? [one, other] : [other, one]
  return allocateItems(debit, credit, amountMinor, 'EUR')
}

describe('a payment of a foreign invoice', () => {
  it('relieves the receivable at the rate of the invoice, and the last one of what is left', () => {
    let item = invoice(100000n)
    const entries: string[][] = []
    for (const [amountMinor, fxRate] of [
      [33333n, '0.93'],
      [33333n, '0.90'],
      [33334n, '0.95'],
    ] as const) {
      const booked = entryOf(payment(amountMinor, { fxRate }), [[item, amountMinor]])
      item = booked.items[0] ?? item
      entries.push(printed(booked.lines))
    }
    expect(entries).toEqual([
      ['bank 31000 31000 EUR', 'receivable:invoice -30666 -33333 USD', 'fx -334 -334 EUR'],
      ['bank 30000 30000 EUR', 'receivable:invoice -30666 -33333 USD', 'fx 666 666 EUR'],
      ['bank 31667 31667 EUR', 'receivable:invoice -30668 -33334 USD', 'fx -999 -999 EUR'],
    ])
    expect([item.openMinor, item.openBaseMinor]).toEqual([0n, 0n])
  })

  it('stands in its own currency on an account that is kept in it', () => {
    const { lines } = entryOf(payment(100000n), [[invoice(100000n), 100000n]], 'USD')
    expect(printed(lines)).toEqual([
      'bank 93000 100000 USD',
      'receivable:invoice -92000 -100000 USD',
      'fx -1000 -1000 EUR',
    ])
  })

  it('is worth what the bank says', () => {
    const baseMinor = 92501n
    const fxRate = rateBetween(100000n, 'USD', baseMinor, 'EUR')
    const { lines } = entryOf(payment(100000n, { fxRate, baseMinor }), [
      [invoice(60000n), 60000n],
      [invoice(40000n, { id: 'second' }), 40000n],
    ])
    expect(fxRate).toBe('0.92501')
    expect(printed(lines)).toEqual([
      'bank 92501 92501 EUR',
      'receivable:invoice -55200 -60000 USD',
      'fx -501 -501 EUR',
      'receivable:second -36800 -40000 USD',
    ])
  })
})

describe('money in the base currency', () => {
  const euros = { currency: 'EUR', fxRate: '1' }

  it('that is more than the invoice leaves the rest as a credit of the contact', () => {
    const { lines, rest } = entryOf(payment(12000n, euros), [[invoice(10000n, euros), 10000n]])
    expect(printed(lines)).toEqual([
      'bank 12000 12000 EUR',
      'receivable:payment -2000 -2000 EUR',
      'receivable:invoice -10000 -10000 EUR',
    ])
    expect([rest.openMinor, rest.openBaseMinor]).toEqual([-2000n, -2000n])
  })

  it('through a payment link goes to clearing without the fee', () => {
    const paid = payment(10000n, {
      ...euros,
      method: 'payment_link',
      accountId: 'clearing',
      feeMinor: 290n,
    })
    expect(printed(entryOf(paid, [[invoice(10000n, euros), 10000n]]).lines)).toEqual([
      'clearing 9710 9710 EUR',
      'fees 290 290 EUR',
      'receivable:invoice -10000 -10000 EUR',
    ])
  })

  it('that pays a bill leaves the bank', () => {
    const bill = invoice(-10000n, { ...euros, id: 'bill', accountId: 'payable' })
    const paid = payment(10000n, { ...euros, direction: 'out' })
    expect(printed(entryOf(paid, [[bill, 10000n]]).lines)).toEqual([
      'bank -10000 -10000 EUR',
      'payable:bill 10000 10000 EUR',
    ])
  })

  it('that is paid back for a credit note uses the credit up', () => {
    const credit = invoice(-10000n, { ...euros, id: 'credit' })
    const paid = payment(4000n, { ...euros, direction: 'out' })
    const booked = entryOf(paid, [[credit, 4000n]])
    expect(printed(booked.lines)).toEqual([
      'bank -4000 -4000 EUR',
      'receivable:credit 4000 4000 EUR',
    ])
    expect(booked.items[0]?.openMinor).toBe(-6000n)
  })

  it('that is paid back of an overpayment uses the payment up', () => {
    const earlier = openItemOf(payment(2000n, { ...euros, id: 'earlier' }), 'receivable')
    const paid = payment(2000n, { ...euros, direction: 'out' })
    expect(printed(entryOf(paid, [[earlier, 2000n]]).lines)).toEqual([
      'bank -2000 -2000 EUR',
      'receivable:earlier 2000 2000 EUR',
    ])
  })
})

describe('a credit used for an invoice', () => {
  it('changes nothing but the two at the same rate', () => {
    const credit = invoice(-10000n, { id: 'credit' })
    const allocated = allocateItems(invoice(100000n), credit, 10000n, 'EUR')
    expect(printed(allocationLines(allocated, accounts))).toEqual([
      'receivable:invoice -9200 -10000 USD',
      'receivable:credit 9200 10000 USD',
    ])
  })

  it('realises the difference between two rates', () => {
    const credit = invoice(-10000n, { id: 'credit', fxRate: '0.9' })
    const allocated = allocateItems(invoice(100000n), credit, 10000n, 'EUR')
    expect(printed(allocationLines(allocated, accounts))).toEqual([
      'receivable:invoice -9200 -10000 USD',
      'receivable:credit 9000 10000 USD',
      'fx 200 200 EUR',
    ])
  })
})

describe('a write-off', () => {
  const item = invoice(59500n)
  const given = payment(59500n, {
    method: 'write_off',
    accountId: 'bad debts',
    fxRate: item.fxRate,
    baseMinor: item.openBaseMinor,
  })

  function writtenOff(taxes: Parameters<typeof writeOffLines>[2]): string[] {
    const own = openItemOf(given, 'receivable')
    const allocated = allocateItems(item, own, 59500n, 'EUR')
    const lines = [...writeOffLines(given, own, taxes), ...allocationLines(allocated, accounts)]
    return printed(tidyLines(lines))
  }

  it('is a bad debt of the whole where no relief is claimed', () => {
    expect(writtenOff([])).toEqual([
      'bad debts 54740 59500 USD',
      'receivable:invoice -54740 -59500 USD',
    ])
  })

  it('takes the tax back where relief is claimed', () => {
    const tax = { accountId: 'tax', taxCodeId: 'code', amountMinor: 9500n, baseMinor: 8740n }
    expect(writtenOff([tax])).toEqual([
      'bad debts 46000 50000 USD',
      'tax 8740 9500 USD',
      'receivable:invoice -54740 -59500 USD',
    ])
  })
})

describe('whatever is settled', () => {
  const rate = fc.integer({ min: 1, max: 3_000_000 }).map((digits) => String(digits / 1e6))
  const currency = fc.constantFrom('USD', 'JPY', 'KWD', 'EUR')

  it('balances, and closes to zero in both currencies', () => {
    fc.assert(
      fc.property(
        currency,
        rate,
        fc.array(fc.tuple(fc.bigInt({ min: 1n, max: 100_000n }), rate), {
          minLength: 1,
          maxLength: 12,
        }),
        fc.bigInt({ min: 0n, max: 100_000n }),
        fc.boolean(),
        (currency, invoiceRate, parts, fee, isDebit) => {
          const foreign = (text: string) => (currency === 'EUR' ? '1' : text)
          const sign = isDebit ? 1n : -1n
          const total = parts.reduce((sum, [amountMinor]) => sum + amountMinor, 0n)
          let item = invoice(sign * total, { currency, fxRate: foreign(invoiceRate) })
          const lines: JournalLine[] = []
          for (const [amountMinor, fxRate] of parts) {
            const paid = payment(amountMinor, {
              currency,
              fxRate: foreign(fxRate),
              direction: isDebit ? 'in' : 'out',
              feeMinor: isDebit ? fee % (amountMinor + 1n) : 0n,
            })
            const booked = entryOf(paid, [[item, amountMinor]], currency)
            expect(sumOf(booked.lines, 'baseMinor')).toBe(0n)
            item = booked.items[0] ?? item
            lines.push(...booked.lines)
            expect(sign * item.openBaseMinor).toBeGreaterThanOrEqual(0n)
          }
          const own = lines.filter(({ openItemId }) => openItemId === 'invoice')
          expect(sumOf(own, 'baseMinor')).toBe(-item.baseMinor)
          expect(sumOf(own, 'amountMinor')).toBe(-item.amountMinor)
          expect([item.openMinor, item.openBaseMinor]).toEqual([0n, 0n])
          expect(lines.filter(({ openItemId }) => openItemId === 'payment')).toEqual([])
        },
      ),
    )
  })

  it('is as before when it is taken back', () => {
    fc.assert(
      fc.property(
        rate,
        rate,
        fc.bigInt({ min: 1n, max: 100_000n }),
        fc.bigInt({ min: 1n, max: 100_000n }),
        fc.bigInt({ min: 1n, max: 100_000n }),
        (invoiceRate, creditRate, debitMinor, creditMinor, wanted) => {
          const debit = invoice(debitMinor, { fxRate: invoiceRate })
          const credit = invoice(-creditMinor, { id: 'credit', fxRate: creditRate })
          const most = debitMinor < creditMinor ? debitMinor : creditMinor
          const allocated = allocateItems(debit, credit, wanted < most ? wanted : most, 'EUR')
          const released = releaseItems(allocated.debit, allocated.credit, allocated)
          expect(released).toMatchObject({ debit, credit })
        },
      ),
    )
  })
})

function sumOf(lines: readonly JournalLine[], key: 'baseMinor' | 'amountMinor'): bigint {
  return lines.reduce((sum, line) => sum + line[key], 0n)
}
