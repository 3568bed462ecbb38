// Bars of one period with the line of the period before, drawn on the server. A table beside it has
// the same figures, for screen readers and for copying.
import { scaleBand, scaleLinear } from 'd3-scale'
import { curveMonotoneX, line } from 'd3-shape'
import { currencyOf } from '../../kernel/money/currency.ts'
import { majorText } from '../../kernel/money/minor-units.ts'
import { dateFormat, numberFormat } from './locale.ts'
import { formatMoney } from './money.tsx'

export type Bar = {
  // A day.
  readonly day: string
  readonly minor: bigint
  // The same day of the period before.
  readonly dayBefore: string
  readonly minorBefore: bigint
}

// The last day has not ended.
type ChartProps = { bars: readonly Bar[]; currency: string; label: string }

type Size = {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly labelEvery: number
}

// A drawing is scaled with its text, so a phone has its own.
const wide: Size = { width: 720, height: 220, left: 56, labelEvery: 5 }
const narrow: Size = { width: 330, height: 200, left: 42, labelEvery: 10 }
const bottom = 24
const top = 8

export function BarChart(props: ChartProps) {
  return (
    <>
      <Drawing {...props} size={wide} name="bar-chart-wide" />
      <Drawing {...props} size={narrow} name="bar-chart-narrow" />
    </>
  )
}

type DrawingProps = ChartProps & { size: Size; name: string }

function Drawing({ bars, currency, label, size, name }: DrawingProps) {
  const { width, height, left, labelEvery } = size
  const position = chartPositions(bars, currency, size)
  const path = line<Bar>(
    ({ day }) => position.centre(day),
    ({ minorBefore }) => position.y(minorBefore),
  ).curve(curveMonotoneX)
  return (
    <svg
      class={`bar-chart ${name}`}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      {position.ticks.map(({ y, text }) => (
        <g key={text}>
          <line class="chart-grid" x1={left} x2={width} y1={y} y2={y} />
          <text class="chart-text" x={left - 8} y={y + 4} text-anchor="end">
            {text}
          </text>
        </g>
      ))}
      {bars.map((bar, index) => (
        <g key={bar.day} class="chart-day">
          <title>{tooltip(bar, currency)}</title>
          <rect
            class="chart-hover"
            x={position.x(bar.day)}
            y={top}
            width={position.step}
            height={height - bottom - top}
          />
          <rect
            class={`chart-bar${index === bars.length - 1 ? ' chart-unfinished' : ''}`}
            x={position.x(bar.day) + 1}
            y={position.y(bar.minor)}
            width={Math.max(position.bandwidth - 2, 1)}
            height={height - bottom - position.y(bar.minor)}
            rx="2"
          />
          {index % labelEvery === 0 && (
            <text
              class="chart-text"
              x={position.centre(bar.day)}
              y={height - 6}
              text-anchor="middle"
            >
              {dayText(bar.day)}
            </text>
          )}
        </g>
      ))}
      <path class="chart-before" d={path(bars) ?? ''} />
    </svg>
  )
}

// Only where something is drawn depends on these numbers, so floats do no harm.
function chartPositions(bars: readonly Bar[], currency: string, { width, height, left }: Size) {
  const { decimals } = currencyOf(currency)
  const drawn = (minor: bigint) => Number(majorText(minor, decimals))
  const highest = Math.max(
    1,
    ...bars.flatMap(({ minor, minorBefore }) => [minor, minorBefore].map(drawn)),
  )
  const days = scaleBand(
    bars.map(({ day }) => day),
    [left, width],
  ).paddingInner(0.15)
  const amounts = scaleLinear([0, highest], [height - bottom, top]).nice(4)
  const x = (day: string) => days(day) ?? left
  return {
    x,
    y: (minor: bigint) => amounts(drawn(minor)),
    centre: (day: string) => x(day) + days.bandwidth() / 2,
    bandwidth: days.bandwidth(),
    step: days.step(),
    ticks: amounts.ticks(4).map((value) => ({ y: amounts(value), text: formatCompact(value) })),
  }
}

function formatCompact(value: number): string {
  return numberFormat({ notation: 'compact', maximumFractionDigits: 1 }).format(value)
}

function tooltip({ day, minor, dayBefore, minorBefore }: Bar, currency: string): string {
  return (
    `${dayText(day)}: ${formatMoney(minor, currency)}\n` +
    `${dayText(dayBefore)}: ${formatMoney(minorBefore, currency)}`
  )
}

// A day has no time zone; noon in UTC is within it.
export function dayText(day: string): string {
  const format = dateFormat({ timeZone: 'UTC', day: 'numeric', month: 'short' })
  return format.format(new Date(`${day}T12:00:00Z`))
}
