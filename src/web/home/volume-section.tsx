// Volumes of one currency: today, the last 30 days as a chart, and the figures behind it against
// the 30 days before.
import type { ComponentChildren } from 'preact'
import { type CurrencyVolume, netMinor, type Outcomes } from '../../merchant/volumes/volume.ts'
import { BarChart, dayText } from '../components/bar-chart.tsx'
import { FilterChips } from '../components/filter-chips.tsx'
import { formatCount } from '../components/locale.ts'
import { Money } from '../components/money.tsx'
import { Table } from '../components/table.tsx'
import type { Visit } from '../shell/visit.ts'
import { Change } from './change-text.tsx'

type SectionProps = {
  visit: Visit
  volume: CurrencyVolume
  // All that the business has.
  currencies: readonly string[]
  outcomes: { readonly current: Outcomes; readonly previous: Outcomes }
}

export function VolumeSection({ visit, volume, currencies, outcomes }: SectionProps) {
  const { currency, today, current, previous } = volume
  return (
    <section>
      <div class="section-head">
        <h2>Last 30 days</h2>
        {currencies.length > 1 && (
          <FilterChips
            label="Currency"
            allLabel={currencies[0] ?? ''}
            chosen={currency === currencies[0] ? undefined : currency}
            choices={Object.fromEntries(currencies.slice(1).map((code) => [code, code]))}
            hrefOf={(code) => visit.href('/', { currency: code })}
          />
        )}
      </div>
      <div class="card volume-card">
        <div class="card-body">
          <div class="volume-figures">
            <Figure label="Gross volume" isLarge>
              <a href={visit.href('/payments', { period: 'last-30-days', currency })}>
                <Money minor={current.volumeMinor} currency={currency} />
              </a>{' '}
              <Change now={current.volumeMinor} before={previous.volumeMinor} isGood />
            </Figure>
            <Figure label="Today" isLarge>
              <a href={visit.href('/payments', { period: 'today', currency })}>
                <Money minor={today.volumeMinor} currency={currency} />
              </a>{' '}
              <span class="change">
                {today.count} {today.count === 1 ? 'payment' : 'payments'}
              </span>
            </Figure>
          </div>
          <BarChart
            bars={barsOf(volume)}
            currency={currency}
            label={`Volume in ${currency} per day. The table below has the same figures.`}
          />
          <p class="chart-legend">
            <span class="legend-now">Last 30 days</span>
            <span class="legend-before">30 days before</span>
          </p>
          <details class="chart-table">
            <summary>Show as table</summary>
            <DayTable volume={volume} />
          </details>
        </div>
      </div>
      <Figures volume={volume} outcomes={outcomes} />
    </section>
  )
}

function barsOf({ days, daysBefore }: CurrencyVolume) {
  return days.map(({ day, volumeMinor }, index) => ({
    day,
    minor: volumeMinor,
    dayBefore: daysBefore[index]?.day ?? day,
    minorBefore: daysBefore[index]?.volumeMinor ?? 0n,
  }))
}

function Figures({ volume, outcomes }: Pick<SectionProps, 'volume' | 'outcomes'>) {
  const { currency, current, previous } = volume
  const money = (minor: bigint) => <Money minor={minor} currency={currency} />
  return (
    <div class="stat-grid">
      <Figure label="Net volume">
        {money(netMinor(current))}{' '}
        <Change now={netMinor(current)} before={netMinor(previous)} isGood />
      </Figure>
      <Figure label="Payments">
        {formatCount(current.count)}{' '}
        <Change now={BigInt(current.count)} before={BigInt(previous.count)} isGood />
      </Figure>
      <Figure label="Success rate" hint="Of all payments that succeeded or failed, in any currency">
        {rateText(outcomes.current)}{' '}
        <span class="change">{rateText(outcomes.previous)} before</span>
      </Figure>
      <Figure label="Refunds">
        {money(current.refundMinor)}{' '}
        <Change now={current.refundMinor} before={previous.refundMinor} />
      </Figure>
      <Figure label="Fees">
        {money(current.feeMinor)} <Change now={current.feeMinor} before={previous.feeMinor} />
      </Figure>
      <Figure label="Paid out to the bank">
        {money(current.payoutMinor)}{' '}
        <Change now={current.payoutMinor} before={previous.payoutMinor} />
      </Figure>
    </div>
  )
}

type FigureProps = { label: string; hint?: string; isLarge?: boolean; children: ComponentChildren }

function Figure({ label, hint, isLarge = false, children }: FigureProps) {
  return (
    <div class={isLarge ? 'figure figure-large' : 'card figure'} {...(hint && { title: hint })}>
      <h3 class="tile-label">{label}</h3>
      <p>{children}</p>
    </div>
  )
}

// In tenths of a per cent, rounded down: 99.96% is not 100%.
function rateText({ succeeded, failed }: Outcomes): string {
  const ended = succeeded + failed
  if (ended === 0) return '–'
  const tenths = Math.floor((succeeded * 1000) / ended)
  return `${Math.floor(tenths / 10)}.${tenths % 10}%`
}

function DayTable({ volume: { currency, days } }: { volume: CurrencyVolume }) {
  const money = (minor: bigint) => <Money minor={minor} currency={currency} />
  return (
    <Table
      caption={`Days in ${currency}`}
      rows={days.toReversed()}
      keyOf={({ day }) => day}
      columns={[
        { label: 'Day', cell: ({ day }) => dayText(day) },
        { label: 'Payments', isNumber: true, cell: ({ count }) => count },
        { label: 'Volume', isNumber: true, cell: ({ volumeMinor }) => money(volumeMinor) },
        { label: 'Fees', isNumber: true, cell: ({ feeMinor }) => money(feeMinor) },
        { label: 'Refunds', isNumber: true, cell: ({ refundMinor }) => money(refundMinor) },
        { label: 'Paid out', isNumber: true, cell: ({ payoutMinor }) => money(payoutMinor) },
        { label: 'Net', isNumber: true, cell: (day) => money(netMinor(day)) },
      ]}
    />
  )
}
