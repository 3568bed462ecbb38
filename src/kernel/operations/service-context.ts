import type { Secrets } from '../auth/secrets.ts'
import type { Context } from '../db/context.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { AttemptObserver } from '../webhooks/attempt-delivery.ts'
import type { Egress } from '../webhooks/egress.ts'
import type { RepeatObserver } from './idempotency.ts'

// The dependencies of the operations of every service.
export type ServiceContext = Context &
  RepeatObserver & {
    readonly secrets: Secrets
    // Sends requests to addresses that businesses give us.
    readonly egress: Egress
    // Called for webhooks that were sent on request.
    readonly onAttempt?: AttemptObserver
    // Links to the service are built from this, never from a request's Host.
    readonly publicUrl: string
    // Sends mails. Without it, mails are stored and not sent.
    readonly mailer?: Mailer | undefined
  }
