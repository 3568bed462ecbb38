// Days are text, and so is the day after one.
export function dayAfter(date: string): string {
  const moment = new Date(`${date}T00:00:00Z`)
  moment.setUTCDate(moment.getUTCDate() + 1)
  return moment.toISOString().slice(0, 10)
}
