// Why a webhook is refused, or could not be checked.

export type WebhookErrorCode =
  // Mistakes in the receiver's program.
  | 'body_parsed'
  | 'body_read'
  | 'secret_invalid'
  // Mistakes of the sender.
  | 'body_invalid'
  | 'body_too_large'
  | 'headers_missing'
  | 'headers_malformed'
  | 'signature_mismatch'
  | 'timestamp_outside_tolerance'

const statuses: Readonly<Partial<Record<WebhookErrorCode, number>>> = {
  body_parsed: 500,
  body_read: 500,
  secret_invalid: 500,
  body_too_large: 413,
}

export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly code: WebhookErrorCode
  // The status to respond with. None is a 2xx, so a genuine event is sent again.
  readonly status: number

  constructor(code: WebhookErrorCode, message: string) {
    super(message)
    this.code = code
    this.status = statuses[code] ?? 400
  }
}
