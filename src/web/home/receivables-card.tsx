// What customers owe, by how long it is overdue.
import type { reportAged } from '../../books/reports/get-aged-report.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { type Decimal, digitsAt } from '../../kernel/money/decimal.ts'
import { Card } from '../../kernel/web/components.tsx'
import { MeterRow } from './cash-card.tsx'

export type AgedReport = Awaited<ReturnType<(typeof reportAged)['run']>>

const ages = {
  current: 'Not due yet',
  days_1_30: '1 to 30 days overdue',
  days_31_60: '31 to 60 days overdue',
  days_61_90: '61 to 90 days overdue',
  days_over_90: 'More than 90 days overdue',
} as const

export function ReceivablesCard({ report: { data } }: { report: AgedReport }) {
  const { currency, totals } = data
  const { decimals } = currencyOf(currency)
  const minorOf = (figure: Decimal) => digitsAt(figure, decimals)
  const rows = (Object.keys(ages) as (keyof typeof ages)[]).map((key) => ({
    key,
    label: ages[key],
    minor: minorOf(totals[key]),
  }))
  const largest = rows.reduce((max, { minor }) => (minor > max ? minor : max), 0n)
  if (largest === 0n) return null
  return (
    <Card title="Customers owe you">
      <ul class="meter-list">
        {rows.map(({ key, label, minor }) => (
          <MeterRow key={key} {...{ label, minor, largest, currency }} />
        ))}
      </ul>
    </Card>
  )
}

export function overdueCount({ data }: AgedReport): number {
  return data.contacts
    .flatMap(({ items }) => items)
    .filter(({ kind, days_overdue: days }) => kind === 'invoice' && days > 0).length
}
