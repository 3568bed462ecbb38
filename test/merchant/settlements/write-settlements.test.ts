// Settlements as JSON and CSV, for any values, compared with a second implementation.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findCurrency } from '../../../src/kernel/money/currency.ts'
import { type Settlement, settlementColumns } from '../../../src/merchant/settlements/settlement.ts'
import {
  writeSettlementsCsv,
  writeSettlementsJson,
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

function settlementOf(row: Settled): Settlement {
  const { id, currency, gross, fee, net, refunded, recipient, split, passedOver } = row
  return {
    id,
    currency,
    grossMinor: gross,
    feeMinor: fee,
    netMinor: net,
    refundedMinor: refunded,
    splitRecipientId: recipient,
    splitMinor: split,
    passedOverRecipientId: passedOver,
    settledAtUtc: timeOf(row),
  }
}

async function* pagesFrom(pages: readonly Settled[][]): AsyncGenerator<Settlement[]> {
  for (const page of pages) yield page.map(settlementOf)
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
  const credited = net - (split ?? 0n) - refunded
  const amounts = { gross, fee, net, refunded, net_settled: credited, split_amount: split }
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

async function joined(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

const days = { from: '2026-01-01', to: '2026-01-31' }
const pagesOf = fc.array(fc.array(settled, { minLength: 1, maxLength: 30 }), { maxLength: 4 })

// covers: The response also carries a summary per currency
it('writes every value of every row as JSON, exactly, and their sums', async () => {
  await fc.assert(
    fc.asyncProperty(pagesOf, async (pages) => {
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
      const text = await joined(writeSettlementsJson(days, pagesFrom(pages)))
      const start = `{"from":"2026-01-01","to":"2026-01-31","data":[${expected.join(',')}],"summary":`
      expect(text.slice(0, start.length)).toBe(start)
      const summary = text.slice(start.length, -1)
      const sums = JSON.parse(text).summary
      expect(sums.map(({ currency }: { currency: string }) => currency)).toEqual(
        [...new Set(rows.map(({ currency }) => currency))].sort(),
      )
      for (const code of codes) {
        const own = rows.filter(({ currency }) => currency === code)
        if (own.length === 0) continue
        const minor = own.reduce(
          (total, { net, split, refunded }) => total + net - (split ?? 0n) - refunded,
          0n,
        )
        expect(summary).toContain(`{"currency":"${code}","count":${own.length},`)
        expect(summary).toContain(`"net_settled":${major(minor, code)},`)
        expect(summary).toContain(`"net_settled_minor":${minor},`)
      }
    }),
  )
})

it('writes the same values as CSV, and the same sums', async () => {
  await fc.assert(
    fc.asyncProperty(pagesOf, async (pages) => {
      const rows = pages.flat()
      const records = csvRecords(await joined(writeSettlementsCsv(pagesFrom(pages))))
      const expected = rows.map((row) => {
        const values = shown(row)
        return Object.fromEntries(settlementColumns.map((name) => [name, values[name] ?? '']))
      })
      expect(records.slice(0, rows.length)).toEqual(expected)
      const { summary } = JSON.parse(await joined(writeSettlementsJson(days, pagesFrom(pages))))
      const totals = records.slice(rows.length)
      expect(totals.map(({ payment_id }) => payment_id)).toEqual(summary.map(() => 'total'))
      expect(
        totals.map(({ currency, gross_minor, fee_minor, net_minor }) => [
          ...[currency, Number(gross_minor), Number(fee_minor), Number(net_minor)],
        ]),
      ).toEqual(
        summary.map((sums: Record<string, unknown>) => [
          ...[sums.currency, sums.gross_minor, sums.fee_minor, sums.net_minor],
        ]),
      )
    }),
  )
})
