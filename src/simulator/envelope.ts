// The provider's envelope. It has no machine-readable error code, so callers must use the HTTP
// status. A 500 contains an `error_id` instead of a reason.
import type { Clock } from '../kernel/basics/clock.ts'
import type { Ids } from '../kernel/basics/id.ts'

export type Answer = { readonly status: number; readonly body: unknown }

export function success(message: string, data: unknown): Answer {
  return { status: 200, body: { status: 'success', message, data } }
}

export type Paging = { readonly total: number; readonly page: number; readonly pageSize: number }

export function successPage(message: string, paging: Paging, data: unknown): Answer {
  const meta = {
    page_info: {
      total: paging.total,
      current_page: paging.page,
      total_pages: Math.ceil(paging.total / paging.pageSize),
    },
  }
  return { status: 200, body: { status: 'success', message, meta, data } }
}

export function refusal(status: number, message: string): Answer {
  return { status, body: { status: 'error', message, data: null } }
}

export function internalError(status: number, { clock, ids }: { clock: Clock; ids: Ids }): Answer {
  const number = ids.randomBytes(4).readUInt32BE(0)
  const message = 'An error occurred while processing your request'
  const error_id = `ERRNO${number}T${clock.now().getTime()}`
  return { status, body: { status: 'error', message, data: null, error_id } }
}

// References that the provider generates.
export function providerReference(ids: Ids, prefix: string): string {
  return `${prefix}${ids.randomBytes(12).toString('hex')}`
}
