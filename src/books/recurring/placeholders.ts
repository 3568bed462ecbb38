// Placeholders in the texts of a template, which stand for the period of the document.
import { addDays } from '../../kernel/basics/calendar.ts'

export type PlaceholderPeriod = {
  // The day of the document, and that of the next one.
  readonly day: string
  readonly nextDay: string
  readonly number: number
  readonly locale: string
}

const placeholderNames = [
  'date',
  'day',
  'month',
  'year',
  'quarter',
  'period',
  'previous_month',
  'next_month',
  'number',
] as const
type PlaceholderName = (typeof placeholderNames)[number]

const pattern = /\{([a-z_]+)\}/g

export function fillPlaceholders(text: string, period: PlaceholderPeriod): string {
  const values = placeholderValues(period)
  return text.replaceAll(pattern, (whole, name: string) => (isKnown(name) ? values[name] : whole))
}

// A typing mistake would be printed on every document.
export function placeholderProblem(text: string): string | undefined {
  const unknown = [...text.matchAll(pattern)].find(([, name = '']) => !isKnown(name))
  return unknown && `Unknown placeholder ${unknown[0]}. Use one of those below.`
}

export function placeholderValues(period: PlaceholderPeriod): Record<PlaceholderName, string> {
  const { day, nextDay, number, locale } = period
  const written = (of: string, parts: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...parts }).format(new Date(`${of}T00:00Z`))
  const long = { day: 'numeric', month: 'long', year: 'numeric' } as const
  const month = { month: 'long', year: 'numeric' } as const
  const firstOfMonth = `${day.slice(0, 8)}01`
  const quarter = Math.ceil(Number.parseInt(day.slice(5, 7), 10) / 3)
  return {
    date: written(day, long),
    day: written(day, { day: 'numeric' }),
    month: written(day, { month: 'long' }),
    year: day.slice(0, 4),
    quarter: `Q${quarter}`,
    period: `${written(day, long)} – ${written(addDays(nextDay, -1), long)}`,
    previous_month: written(addDays(firstOfMonth, -1), month),
    next_month: written(addDays(firstOfMonth, 31), month),
    number: String(number),
  }
}

function isKnown(name: string): name is PlaceholderName {
  return placeholderNames.some((known) => known === name)
}
