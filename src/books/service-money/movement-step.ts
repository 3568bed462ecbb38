// What every step of booking a movement needs.
import type { SystemActor } from '../../kernel/auth/actor.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { BooksContext } from '../context.ts'
import type { Organisation } from '../settings/organisation.ts'
import type { Movement } from './movement.ts'
import type { ServiceSettings } from './service-settings.ts'

export type BookingStep = {
  readonly tx: Tx
  // Its database is the transaction, so that operations of the books are parts of it.
  readonly context: BooksContext
  readonly actor: SystemActor
  readonly settings: ServiceSettings
  readonly organisation: Organisation
  readonly movement: Movement
  // On which it happened, where the organisation is.
  readonly day: string
}
