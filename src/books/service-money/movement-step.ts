// What every step of booking a movement needs.
import type { Actor, SystemActor } from '../../kernel/auth/actor.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { BooksContext } from '../context.ts'
import type { Organisation } from '../settings/organisation.ts'
import type { Movement } from './movement.ts'
import type { ServiceSettings } from './service-settings.ts'

// By whomever: the service, or a person who says what a payment was for.
export type HeldStep = {
  readonly tx: Tx
  // Its database is the transaction, so that operations of the books are parts of it.
  readonly context: BooksContext
  readonly actor: Actor
  readonly settings: ServiceSettings
  readonly organisation: Organisation
  readonly movement: Movement
  // On which it happened, where the organisation is.
  readonly day: string
}

export type BookingStep = HeldStep & { readonly actor: SystemActor }

export type Booked = {
  // The payment in the books, where there is one.
  readonly paymentId: string | null
  // People had taken it out already, so that what is posted is not what was moved.
  readonly isTakenOut?: boolean
}
