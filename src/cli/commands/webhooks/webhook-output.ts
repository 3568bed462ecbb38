// Shows endpoints and attempts with the field names of the merchant interface. Fields that it does
// not have come last.
import type { Tenant } from '../../../kernel/basics/tenant.ts'
import type { LoggedAttempt } from '../../../kernel/webhooks/delivery.ts'
import type { Endpoint } from '../../../kernel/webhooks/endpoint.ts'
import { presentWebhook } from '../../../merchant/webhooks/webhook.ts'
import { presentAttempt } from '../../../merchant/webhooks/webhook-attempt.ts'

export function endpointFields(endpoint: Endpoint, tenant: Tenant) {
  const { service, state, stateSince, failuresInRow, oldSecretUntil, eventTypes } = endpoint
  const rest = { service, state, stateSince, failuresInRow, oldSecretUntil }
  return { ...presentWebhook(endpoint, tenant), events: eventTypes, ...rest }
}

export function endpointLines(endpoint: Endpoint): string[] {
  const { id, url, state, stateSince, eventTypes, failuresInRow, oldSecretUntil } = endpoint
  return [
    `${id}  ${state.padEnd(3)}  ${url}`,
    `  events     ${eventTypes?.join(', ') ?? 'all'}`,
    ...(failuresInRow > 0 ? [`  failures   ${failuresInRow} in a row`] : []),
    ...(state === 'off' ? [`  off since  ${stateSince.toISOString()}`] : []),
    ...(oldSecretUntil ? [`  old secret until ${oldSecretUntil.toISOString()}`] : []),
  ]
}

// Operators also see the detail, such as whether a name exists in their own network. Businesses
// don't. Requests and responses are for the business.
export function attemptFields(attempt: LoggedAttempt) {
  const { request: _request, response: _response, ...fields } = presentAttempt(attempt)
  return { ...fields, error: attempt.error }
}

// The response of a retry. The log of an endpoint leaves out the endpoint's id.
export function retriedFields(attempt: LoggedAttempt) {
  return { ...attemptFields(attempt), webhook_id: attempt.endpointId }
}

export function attemptLine(attempt: LoggedAttempt): string {
  const { id, created_at, event_type, attempt_number, manual, status_code, error, ...rest } =
    attemptFields(attempt)
  const { next_retry_at, dead_lettered } = rest
  return [
    `${created_at}  ${id}  ${event_type}`,
    `#${attempt_number}${manual ? ' manual' : ''}`,
    `${status_code ?? '-'} ${error ?? 'ok'}`,
    ...(dead_lettered ? ['dead_lettered'] : []),
    ...(next_retry_at === null ? [] : [`next_retry_at ${next_retry_at}`]),
  ].join('  ')
}
