// The timeline of a document.
import type { DocumentStory } from '../../books/documents/get-document-story.ts'
import type { NamedAct } from '../../kernel/auth/name-actors.ts'
import { actorText, actTitle } from '../components/act-text.ts'
import { formatDay } from '../components/day.tsx'
import { eventHappenings } from '../components/event-happenings.tsx'
import { formatMoney } from '../components/money.tsx'
import type { Happening } from '../components/timeline.tsx'
import { mailHref } from '../mails/mail-text.ts'
import { stepText } from '../settings/reminder-words.ts'
import type { Visit } from '../shell/visit.ts'

export function documentHappenings(visit: Visit, story: DocumentStory): Happening[] {
  const { document, allocations, viewedAt } = story
  return [
    ...story.acts.map((act) => actHappening(visit, act)),
    ...allocations.flatMap(({ amountMinor, createdAt, removedAt }) => {
      const amount = formatMoney(amountMinor, document.currency)
      return [
        { at: createdAt, title: `${amount} settled` },
        ...(removedAt ? [{ at: removedAt, title: `${amount} open again` }] : []),
      ]
    }),
    ...(viewedAt ? [{ at: viewedAt, title: 'Opened by the customer' }] : []),
    ...eventHappenings(visit, 'books', story.events),
  ]
}

const verbs: Readonly<Record<string, string>> = {
  create: 'Created',
  edit: 'Changed',
  submit: 'Submitted for approval',
  withdraw: 'Withdrawn',
  return: 'Returned',
  approve: 'Approved',
  reopen: 'Reopened',
  issue: 'Issued',
  send: 'Sent',
  change_due_date: 'Due date changed',
  attach: 'File attached',
  detach: 'File removed',
  void: 'Voided',
  remind: 'Reminder mailed',
  dispute: 'Flagged as disputed',
  stop_reminders: 'Reminders stopped: money went back to the customer',
  resume_reminders: 'Reminders resumed',
  discard: 'Discarded',
  revise: 'Revised',
  accept: 'Accepted by the customer',
  decline: 'Declined by the customer',
  expire: 'Expired',
  invoice: 'Invoiced',
}

export function actHappening(visit: Visit, act: NamedAct): Happening {
  const { mailId } = act.detail
  const text = [`By ${actorText(act)}`, detailText(act)].filter(Boolean).join('. ')
  const detail =
    typeof mailId === 'string' ? (
      <>
        {text}. <a href={mailHref(visit, mailId)}>Show the mail</a>
      </>
    ) : (
      text
    )
  return { at: act.at, title: titleOf(act), detail }
}

function titleOf(act: NamedAct): string {
  const verb = act.action.slice(act.action.indexOf('.') + 1)
  return verbs[verb] ?? actTitle(act)
}

function detailText({ detail }: NamedAct): string {
  const { reason, to, isMarkedOnly, from, date, fileName, schedule, step } = detail as Record<
    string,
    unknown
  >
  if (typeof reason === 'string') return reason
  if (typeof fileName === 'string') return fileName
  if (typeof schedule === 'string') return `From the schedule “${schedule}”`
  if (isMarkedOnly === true) return 'Marked as sent.'
  if (Array.isArray(to)) {
    const when = typeof step === 'number' ? `, ${stepText(step)}` : ''
    return `To ${to.join(', ')}${when}`
  }
  if (typeof from === 'string' && typeof to === 'string') {
    return `From ${formatDay(from)} to ${formatDay(to)}`
  }
  return typeof date === 'string' ? `On ${formatDay(date)}` : ''
}
