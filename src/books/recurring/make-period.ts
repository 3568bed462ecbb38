// Makes the next period of a schedule. The draft, the row of the period and the step to the next
// one are one transaction: after a crash the period is either made or still due. Issuing and
// mailing come after it (`finish-period.ts`), and the row says how far they are.
import type { SystemActor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import { Fault, type FaultKind } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { notify } from '../../kernel/notices/notify.ts'
import type { BooksContext } from '../context.ts'
import { addDocument } from '../documents/create-document.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { lateNotice, leftNotice, stuckNotice } from './recurring-notice.ts'
import { insertPeriod } from './recurring-period-store.ts'
import {
  afterPeriod,
  dayOf,
  isDue,
  isLate,
  type RecurringPeriod,
  type RecurringSchedule,
} from './recurring-schedule.ts'
import { lockSchedule, updateSchedule } from './recurring-schedule-store.ts'
import {
  type DocumentTemplate,
  documentOf,
  type JournalTemplate,
  journalOf,
} from './recurring-template.ts'

const retrySeconds = 60 * 60

export const lateReason = 'It was made more than three days late. Look at it before you go on.'

export function recurringActor({ businessId, environment }: Tenant): SystemActor {
  return { kind: 'system', name: 'recurring schedule', businessId, environment }
}

// Undefined if none is due, or the next one could not be made, which the schedule then says.
export async function makePeriod(
  context: BooksContext,
  tenant: Tenant,
  id: string,
): Promise<RecurringPeriod | undefined> {
  try {
    const made = await context.database.transaction((tx) => make(tx, context, tenant, id))
    if (made) context.failpoint('recurring.made')
    return made
  } catch (error) {
    if (!(error instanceof Fault) || isTransient(error)) throw error
    await recordProblem(context, tenant, id, reasonOf(error))
    return undefined
  }
}

async function make(
  tx: Tx,
  context: BooksContext,
  tenant: Tenant,
  id: string,
): Promise<RecurringPeriod | undefined> {
  const schedule = await lockSchedule(tx, tenant, id)
  const organisation = await findOrganisation(tx, tenant)
  const now = context.clock.now()
  const current = today(organisation, now)
  if (!schedule || !isDue(schedule, current)) return undefined
  const { nextNumber: number } = schedule
  const day = assertDefined(schedule.nextDay ?? undefined, 'a due schedule without a day')
  const isTooLate = isLate(day, current)
  const words = { day, nextDay: dayOf(schedule, number + 1), number, locale: organisation.locale }
  const content = await makeContent(tx, context, tenant, schedule, words)
  const isLeft = schedule.mode === 'draft' || isTooLate
  const status = isLeft ? (schedule.kind === 'journal' ? 'waiting' : 'made') : 'posting'
  const period: RecurringPeriod = {
    scheduleId: id,
    number,
    day,
    status,
    ...content,
    reason: isTooLate ? lateReason : null,
    charge: null,
    chargeNote: null,
    createdAt: now,
    endedAt: status === 'made' ? now : null,
  }
  await insertPeriod(tx, tenant, period)
  await updateSchedule(tx, tenant, id, {
    ...afterPeriod(schedule, { isMade: true }),
    updatedAt: now,
  })
  await recordAct(tx, context, recurringActor(tenant), {
    action: 'recurring.make',
    objectKind: 'recurring_schedule',
    objectId: id,
    detail: { day, documentId: period.documentId, journalId: period.journalId },
  })
  if (isTooLate) await notify(tx, context, tenant, lateNotice(schedule, current))
  else if (status === 'waiting') {
    await notify(tx, context, tenant, leftNotice(schedule, period, 'It waits to be posted.'))
  }
  context.failpoint('recurring.making')
  return period
}

type Words = Parameters<typeof documentOf>[2]
type Content = Pick<RecurringPeriod, 'documentId' | 'journalId' | 'journal'>

async function makeContent(
  tx: Tx,
  context: BooksContext,
  tenant: Tenant,
  { id, name, kind, contactId, template, authorPersonId }: RecurringSchedule,
  words: Words,
): Promise<Content> {
  if (kind === 'journal') {
    const journal = journalOf(template as JournalTemplate, words)
    return { documentId: null, journalId: context.ids.uuid(), journal }
  }
  const contact = assertDefined(contactId ?? undefined, 'a recurring document without a contact')
  const input = documentOf(contact, template as DocumentTemplate, words)
  const documentId = context.ids.uuid()
  await addDocument(tx, context, recurringActor(tenant), kind, input, documentId, {
    authorPersonId,
    detail: { scheduleId: id, schedule: name },
  })
  return { documentId, journalId: null, journal: null }
}

// Mailed once for each period, and told by the page until a retry succeeds.
async function recordProblem(
  context: BooksContext,
  tenant: Tenant,
  id: string,
  problem: string,
): Promise<void> {
  const now = context.clock.now()
  await context.database.transaction(async (tx) => {
    const schedule = await lockSchedule(tx, tenant, id)
    if (!schedule) return
    await updateSchedule(tx, tenant, id, { problem, tryAt: addSeconds(now, retrySeconds) })
    if (schedule.problem === problem) return
    await recordAct(tx, context, recurringActor(tenant), {
      action: 'recurring.fail',
      objectKind: 'recurring_schedule',
      objectId: id,
      detail: { day: schedule.nextDay, reason: problem },
    })
    await notify(tx, context, tenant, stuckNotice(schedule, problem))
  })
}

// Not decisions about the document: it is tried again in the next run.
const transientKinds: readonly FaultKind[] = ['internal_error', 'unavailable', 'rate_limited']

export function isTransient({ kind }: Fault): boolean {
  return transientKinds.includes(kind)
}

export function reasonOf({ error }: Fault): string {
  if (typeof error === 'string') return error
  return [...error.formErrors, ...Object.values(error.fieldErrors).flat()].join(' ')
}
