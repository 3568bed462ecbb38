// A Fault is an expected refusal: part of the interface, public, thrown where it is found and
// rendered in one place. Any other error is a bug and becomes `internal_error`.
export type FieldErrors = {
  formErrors: string[]
  fieldErrors: Record<string, string[]>
}

export const faultKinds = {
  invalid_request: { status: 400, code: 'invalid_request' },
  authentication_failed: { status: 401, code: 'authentication_failed' },
  permission_denied: { status: 403, code: 'permission_denied' },
  not_found: { status: 404, code: 'not_found' },
  conflict: { status: 409, code: 'conflict' },
  payload_too_large: { status: 413, code: 'payload_too_large' },
  rate_limited: { status: 429, code: 'rate_limited' },
  internal_error: { status: 500, code: 'internal_error' },
  not_implemented: { status: 501, code: 'not_implemented' },
  provider_failed: { status: 502, code: 'internal_error' },
  unavailable: { status: 503, code: 'unavailable' },
  service_paused: { status: 503, code: 'service_paused' },
} as const

export type FaultKind = keyof typeof faultKinds

export class Fault extends Error {
  readonly kind: FaultKind
  readonly error: string | FieldErrors
  readonly retryAfterSeconds: number | undefined

  constructor(
    kind: FaultKind,
    error: string | FieldErrors,
    options: { retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(typeof error === 'string' ? error : JSON.stringify(error), { cause: options.cause })
    this.name = 'Fault'
    this.kind = kind
    this.error = error
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

// Readable input that a rule of the business forbids, such as a refund of more than remains. The
// sentence is fixed per rule: callers may show it, and it says nothing about other objects.
export function brokenRule(message: string): Fault {
  return new Fault('invalid_request', message)
}

// Invalid input always has the shape that the interface prescribes, even if no field is named.
export function invalid(message: string): Fault {
  return new Fault('invalid_request', { formErrors: [message], fieldErrors: {} })
}

export function invalidField(field: string, message: string): Fault {
  return new Fault('invalid_request', { formErrors: [], fieldErrors: { [field]: [message] } })
}

// The message must not reveal anything that only the database knows, such as that a key exists.
export function authenticationFailed(message: string): Fault {
  return new Fault('authentication_failed', message)
}

export function permissionDenied(message: string): Fault {
  return new Fault('permission_denied', message)
}

export function notFound(what = 'object'): Fault {
  return new Fault('not_found', `No such ${what}.`)
}
