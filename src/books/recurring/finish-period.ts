// What comes after the draft of a period: it is issued or approved, and mailed. Each step marks the
// row of the period in the transaction that changes the document, so a step is done once, also by
// two workers and after a crash. A step that is refused leaves the draft to the people.
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assert, assertDefined } from '../../kernel/basics/assert.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { notify } from '../../kernel/notices/notify.ts'
import { runOperation } from '../../kernel/operations/run-operation.ts'
import type { BooksContext } from '../context.ts'
import { approveDocument } from '../documents/approve-document.ts'
import { issueDocument } from '../documents/issue-document.ts'
import { sendDocument } from '../documents/send-document.ts'
import { submitDocument } from '../documents/submit-document.ts'
import { postJournal } from '../journal/post-manual-journal.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { isTransient, lateReason, reasonOf, recurringActor } from './make-period.ts'
import { leftNotice } from './recurring-notice.ts'
import { updatePeriod } from './recurring-period-store.ts'
import { isLate, type RecurringPeriod, type RecurringSchedule } from './recurring-schedule.ts'
import { findSchedule } from './recurring-schedule-store.ts'

// Of a draft that no one has touched.
const firstVersion = 1

type Step = {
  readonly context: BooksContext
  readonly tenant: Tenant
  readonly schedule: RecurringSchedule
  readonly period: RecurringPeriod
}

export async function finishPeriod(
  context: BooksContext,
  tenant: Tenant,
  period: RecurringPeriod,
): Promise<void> {
  const { sql } = context.database
  const found = await findSchedule(sql, tenant, period.scheduleId)
  const schedule = assertDefined(found, 'a period without its schedule')
  const organisation = await findOrganisation(sql, tenant)
  let step: Step = { context, tenant, schedule, period }
  const isTooLate = isLate(period.day, today(organisation, context.clock.now()))
  if (isTooLate) return leave(step, lateReason)
  try {
    if (period.status === 'posting') {
      if (schedule.kind === 'journal') return await post(step)
      if (organisation.approvalsOn) return await submit(step)
      await issue(step)
      if (schedule.mode !== 'send') return
      step = { ...step, period: { ...period, status: 'sending' } }
    }
    await send(step)
  } catch (error) {
    if (!(error instanceof Fault) || isTransient(error)) throw error
    await leave(step, reasonOf(error))
  }
}

// A person has to approve it first, and then issues and sends it.
async function submit(step: Step): Promise<void> {
  const marking = markingContext(step, { ...made(step), reason: 'It waits for approval.' })
  const input = { id: documentIdOf(step) }
  await runOperation(submitDocument, marking, recurringActor(step.tenant), input)
}

async function issue(step: Step): Promise<void> {
  const { context, tenant, schedule } = step
  const isSent = schedule.mode === 'send'
  const marking = markingContext(step, isSent ? { status: 'sending' } : made(step))
  const operation = schedule.kind === 'invoice' ? issueDocument : approveDocument
  // Another version is a person's, who then decides.
  const input = { id: documentIdOf(step), version: firstVersion }
  await runOperation(operation, marking, recurringActor(tenant), input)
  context.failpoint('recurring.posted')
}

async function send(step: Step): Promise<void> {
  const { context, tenant } = step
  const input = { id: documentIdOf(step) }
  // The card is charged for what the customer was sent, and for nothing that was left to people.
  const isCharged = step.schedule.subscriptionId !== null
  const marking = markingContext(step, { ...made(step), ...(isCharged && { charge: 'due' }) })
  await runOperation(sendDocument, marking, recurringActor(tenant), input)
  context.failpoint('recurring.sent')
}

async function post(step: Step): Promise<void> {
  const { context, tenant, period } = step
  const journal = assertDefined(period.journal ?? undefined, 'a journal without its lines')
  const id = assertDefined(period.journalId ?? undefined, 'a journal without an id')
  await context.database.transaction(async (tx) => {
    // Another worker was quicker.
    if (!(await updatePeriod(tx, tenant, period, made(step)))) return
    await postJournal(tx, context, recurringActor(tenant), id, { date: period.day, ...journal })
  })
  context.failpoint('recurring.booked')
}

// The people see why on the page of the schedule, and get a mail.
async function leave({ context, tenant, schedule, period }: Step, reason: string): Promise<void> {
  await context.database.transaction(async (tx) => {
    const isJournal = schedule.kind === 'journal'
    const end = isJournal
      ? ({ status: 'waiting' } as const)
      : ({ status: 'made', endedAt: context.clock.now() } as const)
    if (!(await updatePeriod(tx, tenant, period, { ...end, reason }))) return
    await recordAct(tx, context, recurringActor(tenant), {
      action: 'recurring.leave',
      objectKind: 'recurring_schedule',
      objectId: schedule.id,
      detail: { day: period.day, reason },
    })
    await notify(tx, context, tenant, leftNotice(schedule, period, reason))
  })
}

type Mark = Parameters<typeof updatePeriod>[3]

function made({ context }: Step): Mark {
  return { status: 'made', endedAt: context.clock.now() }
}

function markingContext({ context, tenant, period }: Step, mark: Mark): BooksContext {
  // By transaction: one that was rolled back after a deadlock has marked nothing.
  let markedIn: Tx | undefined
  const onDocumentChange = async (tx: Tx, documentId: string) => {
    if (documentId !== period.documentId || markedIn === tx) return
    const isMarked = await updatePeriod(tx, tenant, period, mark)
    // Another worker was quicker. Throwing rolls the change back.
    assert(isMarked, 'a step of a period was done twice')
    markedIn = tx
  }
  return { ...context, onDocumentChange }
}

function documentIdOf({ period: { documentId } }: Step): string {
  return assertDefined(documentId ?? undefined, 'a period without its document')
}
