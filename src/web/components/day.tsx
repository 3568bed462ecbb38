// A day of the calendar, as people read it.
const format = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})

export function formatDay(day: string): string {
  return format.format(new Date(`${day}T00:00:00Z`))
}

export function Day({ of }: { of: string }) {
  return (
    <time class="moment" dateTime={of}>
      {formatDay(of)}
    </time>
  )
}
