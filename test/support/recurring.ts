// Schedules of tests, and the worker that makes what they have due.
import type { z } from 'zod'
import { createRecurringDocument } from '../../src/books/recurring/create-recurring-document.ts'
import { makeRecurringSchedule } from '../../src/books/recurring/make-recurring.ts'
import type { RecurringSchedule } from '../../src/books/recurring/recurring-schedule.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import type { Books } from './documents.ts'
import type { World } from './world.ts'

export type ScheduleForm = z.input<typeof createRecurringDocument.input>

// Every month a draft invoice of 100, unless told otherwise.
export async function newSchedule(
  { context }: World,
  books: Books,
  input: Partial<ScheduleForm> & { nextDay: string },
): Promise<RecurringSchedule> {
  const contactId = input.contactId ?? (await books.contact({ email: 'customer@example.com' })).id
  const accountId = books.account(input.kind === 'bill' ? '6300' : '4000')
  return runOperation(createRecurringDocument, context, books.owner, {
    kind: 'invoice',
    name: 'Retainer',
    mode: 'draft',
    intervalUnit: 'month',
    intervalCount: 1,
    contactId,
    lines: [{ description: 'Retainer for {month} {year}', unitPrice: '100', accountId }],
    ...input,
  })
}

export async function makeDue({ context }: World): Promise<void> {
  await makeRecurringSchedule.run(context, new AbortController().signal)
}
