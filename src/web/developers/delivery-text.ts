// Deliveries in words.
import type { LoggedAttempt } from '../../kernel/webhooks/delivery.ts'

// As its newest attempt left it.
export function deliveryStatus(newest: LoggedAttempt | undefined): string {
  if (!newest) return 'pending'
  if (newest.succeeded) return 'delivered'
  return newest.deadLettered ? 'dead' : 'failed'
}

const failures: Readonly<Record<string, string>> = {
  timeout: 'No answer in time',
  url: 'Address not allowed',
  address: 'Host not found or not public',
  name: 'Host not found or not public',
  tls: 'TLS failed',
  connection: 'No connection',
  protocol: 'Not an HTTP response',
}

export function answerText({ statusCode, error }: LoggedAttempt): string {
  if (statusCode !== null) return error === 'redirect' ? `${statusCode} redirect` : `${statusCode}`
  return failures[error ?? ''] ?? 'No answer'
}
