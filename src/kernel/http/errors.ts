// The one place that turns an error into a response. A Fault is shown as it is. Everything else is
// a bug: its cause is logged with the request id, and the caller gets a fixed message.
import type { IncomingHttpHeaders } from 'node:http'
import { Fault, type FieldErrors, faultKinds, invalid } from '../basics/fault.ts'
import type { Log } from '../basics/log.ts'
import { isDatabaseTooSlow, isDatabaseUnavailable } from '../db/database-errors.ts'

export type ErrorAnswer = {
  status: number
  headers: Record<string, string>
  body: { error: string | FieldErrors; code: string; request_id: string }
}

// The page that a person sees instead of the error body; undefined if the caller is a program. The
// pages provide it.
export type ErrorPage = (
  answer: ErrorAnswer,
  request: { readonly url: string; readonly headers: IncomingHttpHeaders },
) => { headers: Record<string, string>; body: string } | undefined

export function errorAnswer(error: unknown, requestId: string, log: Log): ErrorAnswer {
  const fault = toFault(error, requestId, log)
  const { status, code } = faultKinds[fault.kind]
  const headers: Record<string, string> = {}
  if (fault.retryAfterSeconds !== undefined) headers['retry-after'] = `${fault.retryAfterSeconds}`
  if (status === 401) headers['www-authenticate'] = 'Bearer'
  return { status, headers, body: { error: fault.error, code, request_id: requestId } }
}

function toFault(error: unknown, requestId: string, log: Log): Fault {
  if (error instanceof Fault) return error
  if (isAbortedRequest(error)) return invalid('The request ended before it was complete.')
  if (isDatabaseUnavailable(error)) {
    log.error({ requestId, err: error }, 'the database is unavailable')
    return temporarilyUnavailable()
  }
  if (isDatabaseTooSlow(error)) {
    log.error({ requestId, err: error }, 'the database took too long')
    return temporarilyUnavailable()
  }
  const fault = frameworkFault(error)
  if (fault) return fault
  log.error({ requestId, err: error }, 'the request failed')
  return new Fault('internal_error', 'Something went wrong on our side.')
}

export function temporarilyUnavailable(): Fault {
  const message = 'The service is temporarily unavailable. Try again shortly.'
  return new Fault('unavailable', message, { retryAfterSeconds: 5 })
}

// The caller disconnected while sending the body. A lost connection to the database has the same
// code, but not the status that Fastify gives to errors of a request.
function isAbortedRequest(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return 'code' in error && error.code === 'ECONNRESET' && 'statusCode' in error
}

// Errors with which Fastify itself refuses a request.
function frameworkFault(error: unknown): Fault | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Fault('payload_too_large', 'The body is too large.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return invalid('Send the body as application/json.')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalid('Content-Length does not match the body.')
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Fault('not_found', 'No such path.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return invalid('The request ended before it was complete.')
    default:
      return isRefusal(error) ? invalid('The request cannot be read.') : undefined
  }
}

// Fastify sets the status of a client error, also on errors that this version does not know.
function isRefusal(error: object): boolean {
  if (!('code' in error && String(error.code).startsWith('FST_ERR_'))) return false
  return 'statusCode' in error && /^4\d\d$/.test(String(error.statusCode))
}
