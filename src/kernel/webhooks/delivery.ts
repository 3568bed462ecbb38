// A delivery of an event to an endpoint, and its attempts, as the log shows them.
export type LoggedAttempt = {
  readonly deliveryId: string
  readonly endpointId: string
  readonly eventId: string
  readonly eventType: string
  readonly attemptNumber: number
  readonly isManual: boolean
  readonly attemptedAt: Date
  readonly durationMs: number
  readonly statusCode: number | null
  readonly error: string | null
  readonly succeeded: boolean
  readonly nextRetryAt: Date | null
  readonly deadLettered: boolean
}

// With what its request is made of.
export type StoredAttempt = LoggedAttempt & {
  readonly eventCreatedAt: Date
  readonly data: string
  readonly responseText: string | null
}

export type Exchange = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  // The start of the response; null if none came or it was not kept.
  readonly responseText: string | null
}

// Null for those who may not see it.
export type LoggedExchange = LoggedAttempt & { readonly exchange: Exchange | null }

export type Delivery = {
  readonly id: string
  readonly endpointId: string
  readonly eventId: string
  readonly eventType: string
  readonly service: string
  readonly endpointState: 'on' | 'off' | 'deleted'
  readonly createdAt: Date
}
