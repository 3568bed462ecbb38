// The day and the hour of a moment in a time zone. The time zone database knows when clocks are put
// forward or back.
const formats = new Map<string, Intl.DateTimeFormat>()

export function dayIn(timeZone: string, moment: Date): string {
  const { year = '', month = '', day = '' } = partsOf(timeZone, moment)
  return `${year}-${month}-${day}`
}

export function hourIn(timeZone: string, moment: Date): number {
  return Number.parseInt(partsOf(timeZone, moment).hour ?? '', 10)
}

function partsOf(timeZone: string, moment: Date): Partial<Record<string, string>> {
  // Making one takes longer than using it.
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      hourCycle: 'h23',
    })
  formats.set(timeZone, format)
  return Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]))
}
