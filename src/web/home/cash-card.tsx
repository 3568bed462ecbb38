// Money in and out over the last 30 days, as two bars of one scale.
import { Card } from '../../kernel/web/components.tsx'
import type { CurrencyVolume } from '../../merchant/volumes/volume.ts'
import { Money } from '../components/money.tsx'

export function CashCard({ volume: { currency, current } }: { volume: CurrencyVolume }) {
  const inMinor = current.volumeMinor - current.feeMinor - current.splitMinor
  const outMinor = current.refundMinor + current.payoutMinor
  const largest = inMinor > outMinor ? inMinor : outMinor
  const rows = [
    { key: 'in', label: 'In: collected, after fees and shares', minor: inMinor },
    { key: 'out', label: 'Out: refunds and payouts to the bank', minor: outMinor },
  ]
  return (
    <Card title="Cash in and out, last 30 days">
      <ul class="meter-list">
        {rows.map(({ key, label, minor }) => (
          <MeterRow key={key} {...{ label, minor, largest, currency }} />
        ))}
      </ul>
    </Card>
  )
}

type RowProps = { label: string; minor: bigint; largest: bigint; currency: string }

export function MeterRow({ label, minor, largest, currency }: RowProps) {
  const percent = largest > 0n && minor > 0n ? (minor * 100n) / largest : 0n
  return (
    <li>
      <span>{label}</span>
      <strong>
        <Money minor={minor} currency={currency} />
      </strong>
      <svg class="meter" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect class="meter-ground" width="100" height="4" />
        <rect class="meter-bar" width={String(percent)} height="4" />
      </svg>
    </li>
  )
}
