// What customers owe, by how long it is overdue.
import type { ReceivableTotals } from '../../books/reports/get-receivable-totals.ts'
import { Card } from '../../kernel/web/components.tsx'
import { MeterRow } from './cash-card.tsx'

const ages = {
  current: 'Not due yet',
  days1To30: '1 to 30 days overdue',
  days31To60: '31 to 60 days overdue',
  days61To90: '61 to 90 days overdue',
  daysOver90: 'More than 90 days overdue',
} as const

export function ReceivablesCard({ totals }: { totals: ReceivableTotals }) {
  const { currency } = totals
  const rows = (Object.keys(ages) as (keyof typeof ages)[]).map((key) => ({
    key,
    label: ages[key],
    minor: totals[key],
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
