import type { Secrets } from '../auth/secrets.ts'
import type { Context } from '../db/context.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { AttemptObserver } from '../webhooks/attempt-delivery.ts'
import type { Egress } from '../webhooks/egress.ts'
import type { RepeatObserver } from './idempotency.ts'

// What the operations of every service are given.
export type ServiceContext = Context &
  RepeatObserver & {
    readonly secrets: Secrets
    // The way out to addresses that businesses give us.
    readonly egress: Egress
    // Hears of webhooks that were sent because somebody asked.
    readonly onAttempt?: AttemptObserver
    // Links that leave the service are built from this, never from a request's Host.
    readonly publicUrl: string
    // The way to the mail server. Without one mails are kept and not sent.
    readonly mailer?: Mailer | undefined
  }
