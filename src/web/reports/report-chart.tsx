// Bars of a report, drawn on the server: a group of bars for each column, one bar for each series.
// The statement below has the same figures, for screen readers and for copying.

import { scaleBand, scaleLinear } from 'd3-scale'
import { currencyOf } from '../../kernel/money/currency.ts'
import { type Decimal, toText } from '../../kernel/money/decimal.ts'
import { formatNumber, numberFormat } from '../components/locale.ts'

type Group = { readonly label: string; readonly values: readonly Decimal[] }

type ChartProps = {
  label: string
  currency: string
  series: readonly string[]
  groups: readonly Group[]
}

// More groups than that can't be told apart.
export const chartMonthsMax = 24

const width = 720
const height = 200
const left = 72
const bottom = 24
const top = 8

export function ReportChart({ label, currency, series, groups }: ChartProps) {
  const position = positionsOf(series, groups)
  return (
    <figure class="card report-chart no-print">
      <svg class="bar-chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        {position.ticks.map(({ y, text }) => (
          <g key={text}>
            <line class="chart-grid" x1={left} x2={width} y1={y} y2={y} />
            <text class="chart-text" x={left - 8} y={y + 4} text-anchor="end">
              {text}
            </text>
          </g>
        ))}
        {groups.map((group, place) => (
          <g key={group.label}>
            {group.values.map((value, index) => (
              <rect
                key={index}
                class={`chart-bar chart-series-${index}`}
                {...position.bar(group, index, value)}
                rx="2"
              >
                <title>{tooltip(group, series[index], value, currency)}</title>
              </rect>
            ))}
            {place % labelEvery(groups.length) === 0 && (
              <text
                class="chart-text"
                x={position.centre(group)}
                y={height - 6}
                text-anchor="middle"
              >
                {group.label}
              </text>
            )}
          </g>
        ))}
      </svg>
      {series.length > 1 && (
        <figcaption class="report-legend">
          {series.map((name, index) => (
            <span key={name} class={`report-key report-key-${index}`}>
              {name}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  )
}

// As many as have room beside each other, on a phone too.
function labelEvery(groups: number): number {
  return Math.ceil(groups / 8)
}

// Only where something is drawn depends on these numbers, so floats do no harm.
function positionsOf(series: readonly string[], groups: readonly Group[]) {
  const values = groups.flatMap((group) => group.values.map(drawn))
  const amounts = scaleLinear(
    [Math.min(0, ...values), Math.max(1, ...values)],
    [height - bottom, top],
  ).nice(4)
  const bands = scaleBand(
    groups.map(({ label }) => label),
    [left, width],
  ).padding(0.25)
  const bars = scaleBand(
    series.map((_, index) => index),
    [0, bands.bandwidth()],
  ).paddingInner(0.1)
  const x = ({ label }: Group) => bands(label) ?? left
  return {
    bar: (group: Group, index: number, value: Decimal) => {
      const [one, other] = [amounts(0), amounts(drawn(value))]
      return {
        x: x(group) + (bars(index) ?? 0),
        y: Math.min(one, other),
        width: bars.bandwidth(),
        height: Math.abs(one - other),
      }
    },
    centre: (group: Group) => x(group) + bands.bandwidth() / 2,
    ticks: amounts
      .ticks(4)
      .map((value) => ({ y: amounts(value), text: numberFormat(compact).format(value) })),
  }
}

const drawn = (value: Decimal) => Number(toText(value))

const compact = { notation: 'compact', maximumFractionDigits: 1 } as const

function tooltip(
  { label }: Group,
  name: string | undefined,
  value: Decimal,
  currency: string,
): string {
  const text = formatNumber(toText(value, currencyOf(currency).decimals))
  return `${label}, ${name}: ${text} ${currency}`
}
