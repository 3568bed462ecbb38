// Posts one movement, in one transaction with the mark that it is posted, so that a crash posts it
// not at all or once, and two processes take turns. If people must fix something first (a rate, an
// account), it is postponed and shown with the reason; the others continue.
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { databaseInside, type Tx } from '../../kernel/db/database.ts'
import { isDatabaseUnavailable } from '../../kernel/db/database-errors.ts'
import type { BooksContext } from '../context.ts'
import { findRate } from '../currencies/exchange-rate-store.ts'
import { missingRate } from '../currencies/require-rate.ts'
import { amountWords } from '../input/amount-input.ts'
import { firstOpenDay } from '../journal/lock-dates.ts'
import { type Organisation, today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { bookCollection, reverseCollection } from './book-collection.ts'
import { bookRefundOrChargeback, reverseGivingBack } from './book-refund-or-chargeback.ts'
import { bookServicePayout, reverseServicePayout } from './book-service-payout.ts'
import { type Movement, type MovementKind, retrySeconds } from './movement.ts'
import type { Booked, BookingStep } from './movement-step.ts'
import {
  type DueMovement,
  findIsBehind,
  listDueMovements,
  listTenantsDue,
  lockMovement,
  updateMovement,
} from './movement-store.ts'
import { postUnassigned } from './post-held.ts'
import { findLastSequence, findPostedSince } from './posted-store.ts'
import { serviceActorName } from './service-settings.ts'
import { lockServiceSettings } from './service-settings-store.ts'

// Of one business, before the next one's turn.
const turnSize = 20
// Some ten seconds of work for one journal. Then it looks again; the rest is still due, and every
// business has had a turn.
const movementsPerRunMax = 2000

const bookers: Readonly<Record<MovementKind, (step: BookingStep) => Promise<Booked>>> = {
  collected: bookCollection,
  collection_reversed: reverseCollection,
  collection_restored: bookCollection,
  refunded: bookRefundOrChargeback,
  refund_reversed: reverseGivingBack,
  charged_back: bookRefundOrChargeback,
  chargeback_won: reverseGivingBack,
  paid_out: bookServicePayout,
  payout_reversed: reverseServicePayout,
  payout_restored: bookServicePayout,
  other: async (step) => {
    await postUnassigned(step, 'The payment service moved money')
    return { paymentId: null }
  },
}

// Businesses take turns, so that none waits for the backlog of another.
export async function bookDueMovements(context: BooksContext, signal: AbortSignal): Promise<void> {
  const { database, clock } = context
  const tenants = await listTenantsDue(database.sql, clock.now())
  let turns: Turn[] = tenants.map((tenant) => ({ tenant, after: undefined }))
  for (let tried = 0; turns.length > 0 && tried < movementsPerRunMax && !signal.aborted; ) {
    tried += turns.length * turnSize
    const rest: Turn[] = []
    for (const { tenant, after } of turns) {
      const last = await bookTurn(context, tenant, after, signal)
      if (last) rest.push({ tenant, after: last })
    }
    turns = rest
  }
}

type Turn = { readonly tenant: Tenant; readonly after: DueMovement | undefined }

// Returns the last one if there may be more.
async function bookTurn(
  context: BooksContext,
  tenant: Tenant,
  after: DueMovement | undefined,
  signal: AbortSignal,
): Promise<DueMovement | undefined> {
  const { database, clock } = context
  const wanted = { now: clock.now(), after, limit: turnSize }
  const due = await listDueMovements(database.sql, tenant, wanted)
  for (const { id } of due) {
    if (signal.aborted) return undefined
    await bookMovement(context, tenant, id)
  }
  return due.length < turnSize ? undefined : due.at(-1)
}

async function bookMovement(context: BooksContext, tenant: Tenant, id: string): Promise<void> {
  try {
    await context.database.transaction((tx) => book(tx, context, tenant, id))
    context.failpoint('movement.booked')
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    if (!(error instanceof Fault)) {
      context.log.error({ movementId: id, err: error }, 'a movement could not be booked')
    }
    await context.database.transaction((tx) => putOff(tx, context, tenant, id, error))
  }
}

async function book(tx: Tx, context: BooksContext, tenant: Tenant, id: string): Promise<void> {
  const settings = await lockServiceSettings(tx, tenant)
  const movement = await lockMovement(tx, tenant, id)
  if (!settings?.isOn || movement?.status !== 'waiting') return
  if (await findIsBehind(tx, tenant, movement)) {
    throw new Fault('conflict', 'An earlier movement is waiting too.')
  }
  const organisation = await findOrganisation(tx, tenant)
  const day = today(organisation, movement.happenedAt)
  await requireKnownRate(tx, tenant, organisation, movement.currency, day)
  const actor = { ...tenant, kind: 'system', name: serviceActorName } as const
  const before = await findLastSequence(tx, tenant)
  const { paymentId, isTakenOut } = await bookers[movement.kind]({
    ...{ tx, actor, settings, organisation, movement },
    context: { ...context, database: databaseInside(tx) },
    day,
  })
  // While the settings are locked, no one else posts with that name, and after our first entry no
  // one posts at all.
  const posted = await findPostedSince(tx, tenant, serviceActorName, before)
  const isKnown = isTakenOut || posted.firstSequence === null
  await updateMovement(tx, tenant, id, {
    status: isKnown ? 'known' : 'booked',
    ...(!isKnown && posted),
    ...{ reason: null, tries: movement.tries + 1, nextTryAt: null, bookedPaymentId: paymentId },
    bookedAt: context.clock.now(),
  })
  await recordAct(tx, context, actor, {
    action: isKnown ? 'service_money.recognise' : 'service_money.book',
    objectKind: 'service_movement',
    objectId: id,
    detail: detailOf(movement),
  })
  context.failpoint('movement.booking')
}

// Checked first, so that the reason says what to do.
async function requireKnownRate(
  tx: Tx,
  tenant: Tenant,
  organisation: Organisation,
  currency: string,
  day: string,
): Promise<void> {
  const { baseCurrency } = organisation
  if (currency === baseCurrency) return
  const date = firstOpenDay(organisation, day)
  if ((await findRate(tx, tenant, currency, date)) !== undefined) return
  throw new Fault('conflict', missingRate(currency, baseCurrency, date))
}

function detailOf({ kind, objectId, heldMinor, currency }: Movement) {
  return { kind, object_id: objectId, held: amountWords(heldMinor, currency) }
}

async function putOff(
  tx: Tx,
  context: BooksContext,
  tenant: Tenant,
  id: string,
  error: unknown,
): Promise<void> {
  const movement = await lockMovement(tx, tenant, id)
  if (movement?.status !== 'waiting') return
  await updateMovement(tx, tenant, id, {
    reason: reasonOf(error),
    tries: movement.tries + 1,
    nextTryAt: addSeconds(context.clock.now(), retrySeconds(movement.tries)),
  })
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Fault)) return 'An internal error occurred; see the log.'
  if (typeof error.error === 'string') return error.error
  const { formErrors, fieldErrors } = error.error
  return [...formErrors, ...Object.values(fieldErrors).flat()].join(' ')
}
