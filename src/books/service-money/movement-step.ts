// The input of every step of posting a movement.
import type { Actor, SystemActor } from '../../kernel/auth/actor.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { BooksContext } from '../context.ts'
import type { Organisation } from '../settings/organisation.ts'
import type { Movement } from './movement.ts'
import type { ServiceSettings } from './service-settings.ts'

// By the service, or by a person who assigns a payment.
export type HeldStep = {
  readonly tx: Tx
  // Its database is the transaction, so that operations of the books are part of it.
  readonly context: BooksContext
  readonly actor: Actor
  readonly settings: ServiceSettings
  readonly organisation: Organisation
  readonly movement: Movement
  // The day on which it happened, in the organisation's time zone.
  readonly day: string
}

export type BookingStep = HeldStep & { readonly actor: SystemActor }

export type Booked = {
  // The payment in the books, if any.
  readonly paymentId: string | null
  // People had already removed it, so the posting differs from the movement.
  readonly isTakenOut?: boolean
}
