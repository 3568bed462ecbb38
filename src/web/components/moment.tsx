// A moment in the time zone of the business. The exact instant shows on hover.
import { dateFormat } from './locale.ts'

type MomentProps = { at: Date; zone: string; withTime?: boolean }

function formatMoment(at: Date, timeZone: string, withTime: boolean): string {
  return dateFormat({
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...(withTime && { hour: '2-digit', minute: '2-digit' }),
  }).format(at)
}

export function Moment({ at, zone, withTime = true }: MomentProps) {
  const instant = at.toISOString()
  return (
    <time class="moment" dateTime={instant} title={instant}>
      {formatMoment(at, zone, withTime)}
    </time>
  )
}
