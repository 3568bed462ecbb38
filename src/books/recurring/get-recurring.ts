// A schedule with everything about it: what it made, what comes next, and what happened to it.
import { z } from 'zod'
import { listActsOfObjects } from '../../kernel/auth/logged-act-store.ts'
import { type NamedAct, nameActors } from '../../kernel/auth/name-actors.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import type { Contact } from '../contacts/contact.ts'
import { findContact } from '../contacts/contact-store.ts'
import { defineOperation } from '../context.ts'
import { type Organisation, today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { listPeriods } from './recurring-period-store.ts'
import { type NamedPeriod, type RecurringSchedule, upcomingDays } from './recurring-schedule.ts'
import { findSchedule } from './recurring-schedule-store.ts'

const upcomingMax = 6
const periodsMax = 100

export type ScheduleStory = {
  readonly schedule: RecurringSchedule
  readonly contact: Contact | undefined
  readonly organisation: Organisation
  readonly today: string
  readonly upcoming: readonly string[]
  // The newest first, or the newest before a number.
  readonly periods: readonly NamedPeriod[]
  // The last of these, if there are older ones.
  readonly olderThan: number | undefined
  readonly acts: readonly NamedAct[]
}

export const getRecurring = defineOperation({
  name: 'get-recurring',
  summary: 'Show a schedule, what it made and what comes next',
  kind: 'read',
  input: z.strictObject({
    id: uuid(),
    // Periods before this number.
    before: z.int().min(1).optional(),
    limit: z.int().min(1).max(periodsMax).default(periodsMax),
  }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, clock }, actor, { id, before, limit }): Promise<ScheduleStory> {
    const schedule = await findSchedule(sql, actor, id)
    if (!schedule) throw notFound('schedule')
    const [contact, organisation, found, acts] = await Promise.all([
      schedule.contactId === null ? undefined : findContact(sql, actor, schedule.contactId),
      findOrganisation(sql, actor),
      listPeriods(sql, actor, id, { before, limit: limit + 1 }),
      listActsOfObjects(sql, actor, [id]),
    ])
    const periods = found.slice(0, limit)
    return {
      schedule,
      contact,
      organisation,
      today: today(organisation, clock.now()),
      upcoming: upcomingDays(schedule, upcomingMax),
      periods,
      olderThan: found.length > limit ? periods.at(-1)?.number : undefined,
      acts: await nameActors(sql, actor, acts),
    }
  },
})
