// A delivery of an event to an endpoint, and its attempts, as the log shows them.
export type LoggedAttempt = {
  readonly deliveryId: string
  readonly endpointId: string
  readonly eventId: string
  readonly eventType: string
  readonly attemptNumber: number
  readonly isManual: boolean
  readonly attemptedAt: Date
  readonly statusCode: number | null
  readonly error: string | null
  readonly succeeded: boolean
  readonly nextRetryAt: Date | null
  readonly deadLettered: boolean
}

export type Delivery = {
  readonly id: string
  readonly endpointId: string
  readonly eventId: string
  readonly eventType: string
  readonly service: string
  readonly endpointState: 'on' | 'off' | 'deleted'
}
