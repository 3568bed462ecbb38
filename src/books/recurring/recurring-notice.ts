// The mails to the people of the business about schedules that need them.
import type { Notice } from '../../kernel/notices/notice.ts'
import type { RecurringKind, RecurringPeriod, RecurringSchedule } from './recurring-schedule.ts'

type Named = Pick<RecurringSchedule, 'id' | 'kind' | 'name'>

const kindNames: Readonly<Record<RecurringKind, string>> = {
  invoice: 'invoice',
  bill: 'bill',
  journal: 'manual journal',
}

// Nothing was made. Mailed once for each period.
export function stuckNotice(
  schedule: Named & Pick<RecurringSchedule, 'nextNumber' | 'nextDay'>,
  problem: string,
): Notice {
  const { id, kind, name, nextNumber, nextDay } = schedule
  return {
    kind: 'recurring',
    fact: `recurring.stuck/${id}/${nextNumber}`,
    subject: `${name}: the ${kindNames[kind]} could not be made`,
    lines: [
      `The ${kindNames[kind]} of ${nextDay} could not be made:`,
      problem,
      'It is tried again every hour. Change the schedule, or skip this one:',
    ],
    path: `/recurring/${id}`,
  }
}

// The draft exists, or the journal waits, and a person has to go on.
export function leftNotice(
  { id, kind, name }: Named,
  { number, day }: Pick<RecurringPeriod, 'number' | 'day'>,
  reason: string,
): Notice {
  return {
    kind: 'recurring',
    fact: `recurring.left/${id}/${number}`,
    subject: `${name}: please look at a ${kindNames[kind]}`,
    lines: [`The ${kindNames[kind]} of ${day} needs you:`, reason],
    path: `/recurring/${id}`,
  }
}

// After an outage many may be late: one mail for each schedule and day.
export function lateNotice({ id, kind, name }: Named, today: string): Notice {
  return {
    kind: 'recurring',
    fact: `recurring.late/${id}/${today}`,
    subject: `${name}: made late, please look at it`,
    lines: [
      `One or more ${kindNames[kind]}s were made more than three days late.`,
      'They were not posted or sent. Please look at them:',
    ],
    path: `/recurring/${id}`,
  }
}

// The invoice is issued and mailed, and its card was not charged.
export function unchargedNotice(
  { id, name }: Named,
  { number, day }: Pick<RecurringPeriod, 'number' | 'day'>,
  reason: string,
): Notice {
  return {
    kind: 'recurring',
    fact: `recurring.uncharged/${id}/${number}`,
    subject: `${name}: the saved card was not charged`,
    lines: [
      `The invoice of ${day} was not charged to the saved card:`,
      reason,
      'The invoice stays open, and its customer can pay it on its page.',
    ],
    path: `/recurring/${id}`,
  }
}
