// Copies movements from the merchant ledger to the books and posts them there. A movement is any
// change in what the merchant service holds for a business. The two services don't know each other;
// the bridge is above both.
import type { BooksContext } from '../books/context.ts'
import { bookDueMovements } from '../books/service-money/book-movement.ts'
import { addSeconds } from '../kernel/basics/clock.ts'
import type { Tenant } from '../kernel/basics/tenant.ts'
import { defineSchedule } from '../kernel/jobs/schedule.ts'
import { updateFailedChargesToEnded } from './invoice-charge-source-store.ts'
import { listTenantsWithNewMovements } from './movement-source-store.ts'
import {
  lookBackEverySeconds,
  type Place,
  pollEverySeconds,
  recordPage,
} from './record-movements.ts'

// Per business and run. The rest follows in the next run, after others had their turn.
const pagesPerRunMax = 40

export const bookServiceMoneySchedule = defineSchedule({
  name: 'book-service-money',
  everySeconds: 10,
  run: (context: BooksContext, signal) => bookServiceMoney(context, signal),
})

async function bookServiceMoney(context: BooksContext, signal: AbortSignal): Promise<void> {
  const { database, clock } = context
  const now = clock.now()
  const tenants = await listTenantsWithNewMovements(database.sql, {
    lookedAt: addSeconds(now, -pollEverySeconds),
    lookedBackAt: addSeconds(now, -lookBackEverySeconds),
  })
  const failures = await recordInTurns(context, tenants, signal)
  await bookDueMovements(context, signal)
  await updateFailedChargesToEnded(database.sql, clock.now())
  if (failures.length > 0) throw failures[0]
}

type Turn = { readonly tenant: Tenant; readonly place: Place | undefined }

// One page of each business in turn, so that none waits for the backlog of another. An error in one
// business does not stop the others; the schedule reports it and retries.
async function recordInTurns(
  context: BooksContext,
  tenants: readonly Tenant[],
  signal: AbortSignal,
): Promise<unknown[]> {
  const failures: unknown[] = []
  let turns: Turn[] = tenants.map((tenant) => ({ tenant, place: undefined }))
  for (let page = 0; page < pagesPerRunMax && turns.length > 0; page += 1) {
    const rest: Turn[] = []
    for (const { tenant, place } of turns) {
      if (signal.aborted) return failures
      try {
        const next = await recordPage(context, tenant, place)
        if (next) rest.push({ tenant, place: next })
      } catch (error) {
        failures.push(error)
      }
    }
    turns = rest
  }
  return failures
}
