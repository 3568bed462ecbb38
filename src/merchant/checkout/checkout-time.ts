// Dates and times for payers, in the time zone of the business.
export function formatMoment(
  moment: Date,
  timeZone: string,
  month: 'long' | 'short' = 'short',
): string {
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month,
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(moment)
}

// Rounded up to the minute, so that no payer comes back too early.
export function formatMomentAfter(moment: Date, timeZone: string): string {
  const minuteMs = 60_000
  return formatMoment(new Date(Math.ceil(moment.getTime() / minuteMs) * minuteMs), timeZone, 'long')
}
