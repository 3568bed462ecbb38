// A day of the calendar, as people read it.
import { dateFormat } from './locale.ts'

const day = { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' } as const

export function formatDay(text: string): string {
  return dateFormat(day).format(new Date(`${text}T00:00:00Z`))
}

export function Day({ of }: { of: string }) {
  return (
    <time class="moment" dateTime={of}>
      {formatDay(of)}
    </time>
  )
}
