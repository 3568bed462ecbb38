// The writer of settlements moves bytes. Here it is held against one that does not.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findCurrency } from '../../../src/kernel/money/currency.ts'
import { settlementColumns } from '../../../src/merchant/settlements/settlement.ts'
import { jsonTotals, type Totals } from '../../../src/merchant/settlements/settlement-totals.ts'
import {
  csvRows,
  jsonRows,
  type RowFormat,
  writeSettlements,
} from '../../../src/merchant/settlements/write-settlements.ts'
import { csvRecords } from '../../support/csv.ts'

const codes = ['JPY', 'NGN', 'KWD', 'CLF'] as const
const amountMax = 999_999_999_999_999n

const settled = fc
  .record({
    id: fc.uuid(),
    currency: fc.constantFrom(...codes),
    gross: fc.oneof(fc.bigInt(1n, 1200n), fc.bigInt(1n, amountMax)),
    feePercent: fc.integer({ min: 0, max: 100 }),
    refundedPercent: fc.constantFrom(0, 0, 1, 50, 99, 100),
    recipient: fc.option(fc.uuid()),
    passedOver: fc.option(fc.uuid()),
    // Within the last microsecond of a second, and to the whole second, too.
    second: fc.integer({ min: 0, max: 4_000_000_000 }),
    micro: fc.oneof(fc.constant(0), fc.constantFrom(1, 100_000, 999_999), fc.nat(999_999)),
  })
  .map(({ gross, feePercent, refundedPercent, recipient, passedOver, ...rest }) => {
    const fee = (gross * BigInt(feePercent)) / 100n
    return {
      ...rest,
      gross,
      fee,
      net: gross - fee,
      refunded: (gross * BigInt(refundedPercent)) / 100n,
      recipient,
      split: recipient === null ? null : (gross - fee) / 3n,
      passedOver: recipient === null ? passedOver : null,
    }
  })

type Settled = typeof settled extends fc.Arbitrary<infer T> ? T : never

// As PostgreSQL writes it: no more decimals than are needed.
function timeOf({ second, micro }: Settled): string {
  const [whole = ''] = new Date(second * 1000).toISOString().replace('T', ' ').split('.')
  const decimals = String(micro).padStart(6, '0').replace(/0+$/, '')
  return `${whole}${decimals && `.${decimals}`}`
}

function pageOf(rows: readonly Settled[]): Buffer {
  const lines = rows.map((row) => {
    const { id, currency, gross, fee, net, refunded, recipient, split, passedOver } = row
    const values = [id, currency, gross, fee, net, refunded, recipient, split, passedOver]
    return [...values.map((value) => value ?? ''), timeOf(row)].join(',')
  })
  // A small buffer is a part of a larger one, and need not begin where that does.
  return Buffer.from(`xyz${lines.join('\n')}`).subarray(3)
}

function major(minor: bigint, currency: string): string {
  const decimals = findCurrency(currency)?.decimals ?? 0
  const digits = String(minor < 0n ? -minor : minor).padStart(decimals + 1, '0')
  const sign = minor < 0n ? '-' : ''
  if (decimals === 0) return sign + digits
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

// What each column shows, as text; null where there is nothing.
function shown(row: Settled): Record<string, string | null> {
  const { id, currency, gross, fee, net, refunded, recipient, split, passedOver } = row
  const amounts = { gross, fee, net, refunded, net_settled: net - refunded, split_amount: split }
  const both = Object.entries(amounts).flatMap(([name, minor]) => [
    [name, minor === null ? null : major(minor, currency)],
    [`${name}_minor`, minor === null ? null : String(minor)],
  ])
  const millis = Math.floor(row.micro / 1000)
  const [whole = ''] = new Date(row.second * 1000).toISOString().split('.')
  return {
    payment_id: id,
    currency,
    ...Object.fromEntries(both),
    split_recipient_id: recipient,
    passed_over_recipient_id: passedOver,
    settled_at: `${whole}.${String(millis).padStart(3, '0')}Z`,
  }
}

async function written(pages: Settled[][], format: RowFormat, totals: Totals): Promise<string> {
  async function* read() {
    for (const page of pages) yield pageOf(page)
  }
  let text = ''
  for await (const piece of writeSettlements('', read(), format, totals)) {
    text += Buffer.from(piece).toString('latin1')
  }
  return text
}

const pagesOf = fc.array(fc.array(settled, { minLength: 1, maxLength: 30 }), { maxLength: 4 })

// covers: The response also carries a summary per currency
it('writes every value of every row as JSON, exactly, and their sums', async () => {
  await fc.assert(
    fc.asyncProperty(pagesOf, async (pages) => {
      const totals: Totals = new Map()
      const rows = pages.flat()
      const expected = rows.map((row) => {
        const values = shown(row)
        const isText = (name: string) => /_id$|_at$|^currency$/.test(name)
        const fields = settlementColumns.map((name) => {
          const value = values[name] ?? null
          return `"${name}":${value !== null && isText(name) ? `"${value}"` : value}`
        })
        return `{${fields.join(',')}}`
      })
      expect(await written(pages, jsonRows, totals)).toBe(expected.join(','))
      const sums = JSON.parse(jsonTotals(totals))
      for (const code of codes) {
        const own = rows.filter(({ currency }) => currency === code)
        const sum = sums.find(({ currency }: { currency: string }) => currency === code)
        expect(sum?.count ?? 0).toBe(own.length)
        if (own.length === 0) continue
        const minor = own.reduce((total, { net, refunded }) => total + net - refunded, 0n)
        expect(jsonTotals(totals)).toContain(`"net_settled_minor":${minor},`)
      }
    }),
  )
})

it('writes the same values as CSV', async () => {
  await fc.assert(
    fc.asyncProperty(pagesOf, async (pages) => {
      const text = await written(pages, csvRows, new Map())
      const records = csvRecords(`${settlementColumns.join(',')}\r\n${text}`)
      const expected = pages.flat().map((row) => {
        const values = shown(row)
        return Object.fromEntries(settlementColumns.map((name) => [name, values[name] ?? '']))
      })
      expect(records).toEqual(expected)
    }),
  )
})

it('refuses a page whose times are written in another way', async () => {
  const [row] = fc.sample(settled, 1)
  if (!row) throw new Error('no row')
  async function* read() {
    yield Buffer.from(String(pageOf([row as Settled])).replace(/[^,]*$/, '31.01.2026 10:00:00'))
  }
  const writing = writeSettlements('', read(), csvRows, new Map()).next()
  await expect(writing).rejects.toThrow('not a time')
})
