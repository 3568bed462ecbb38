// An event as `cli listen` prints it: a line for people, or a JSON object for programs.
import type { StreamItem } from '../../kernel/webhooks/event-stream.ts'
import type { Forwarded } from './forward-event.ts'

export function asLine(
  { event, environment, isResent }: StreamItem,
  forwarded: Forwarded | null,
): string {
  const { createdAt, type, id } = event
  const parts = [createdAt.toISOString(), environment, type.padEnd(17), id]
  if (isResent) parts.push('resent')
  if (forwarded) {
    const { status, error, durationMs } = forwarded
    parts.push(error === null ? `${status} in ${durationMs} ms` : `not delivered: ${error}`)
  }
  return parts.join('  ')
}

export function asJson(item: StreamItem, forwarded: Forwarded | null): string {
  const { event, businessId, environment, isResent } = item
  const { id, service, type, createdAt, data } = event
  const head = {
    ...{ id, service, type, created_at: createdAt, business_id: businessId, environment },
    resent: isResent,
    forwarded: forwarded && {
      status: forwarded.status,
      error: forwarded.error,
      duration_ms: forwarded.durationMs,
    },
  }
  return `${JSON.stringify(head).slice(0, -1)},"data":${data}}`
}
