// A moment in the time zone of the business. The exact instant shows on hover.
type MomentProps = { at: Date; zone: string; withTime?: boolean }

const formats = new Map<string, Intl.DateTimeFormat>()

function formatMoment(at: Date, zone: string, withTime = true): string {
  const key = `${zone} ${withTime}`
  const format = formats.get(key) ?? newFormat(zone, withTime)
  formats.set(key, format)
  return format.format(at)
}

function newFormat(timeZone: string, withTime: boolean): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...(withTime && { hour: '2-digit', minute: '2-digit' }),
  })
}

export function Moment({ at, zone, withTime = true }: MomentProps) {
  const instant = at.toISOString()
  return (
    <time class="moment" dateTime={instant} title={instant}>
      {formatMoment(at, zone, withTime)}
    </time>
  )
}
