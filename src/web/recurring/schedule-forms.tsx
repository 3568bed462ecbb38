// Pausing, resuming, ending and retrying a schedule, and skipping its next period.
import { endRecurring } from '../../books/recurring/end-recurring.ts'
import { getRecurring } from '../../books/recurring/get-recurring.ts'
import { pauseRecurring } from '../../books/recurring/pause-recurring.ts'
import { resumeRecurring } from '../../books/recurring/resume-recurring.ts'
import { retryRecurring } from '../../books/recurring/retry-recurring.ts'
import { skipRecurringPeriod } from '../../books/recurring/skip-recurring-period.ts'
import { formatDay } from '../components/day.tsx'
import { formPage } from '../components/form-page.tsx'
import { type AppRoute, defineAction, defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { kindLabels, recurringPath } from './schedule-looks.tsx'

const page = (visit: Visit) => visit.href(`${recurringPath}/${visit.param('id')}`)
const input = (visit: Visit) => ({ id: visit.param('id') })

const pauseAction = defineAction({
  path: `${recurringPath}/:id/pause`,
  operation: pauseRecurring,
  page,
  input,
  done: (visit) => ({ location: page(visit), message: 'The schedule is paused.' }),
})

const resumeAction = defineAction({
  path: `${recurringPath}/:id/resume`,
  operation: resumeRecurring,
  page,
  input,
  done: (visit, { nextDay }) => ({
    location: page(visit),
    message:
      nextDay === null
        ? 'All days of the schedule have passed. It has ended.'
        : `The schedule is resumed. The next one is made on ${formatDay(nextDay)}.`,
  }),
})

const retryAction = defineAction({
  path: `${recurringPath}/:id/retry`,
  operation: retryRecurring,
  page,
  input,
  done: (visit, { problem }) => ({
    location: page(visit),
    message: problem === null ? 'It is made now.' : 'It is still not possible.',
  }),
})

const endForm = defineForm({
  path: `${recurringPath}/:id/end`,
  operation: endRecurring,
  input,
  async show(visit, draft) {
    const { schedule } = await visit.run(getRecurring, input(visit))
    return formPage({
      title: `End ${schedule.name}`,
      back: { href: page(visit), text: schedule.name },
      draft,
      submit: 'End schedule',
      isDangerous: true,
      children: <p>Nothing more is made, and it can’t be resumed. What it made stays as it is.</p>,
    })
  },
  done: (visit) => ({ location: page(visit), message: 'The schedule has ended.' }),
})

const skipForm = defineForm({
  path: `${recurringPath}/:id/skip`,
  operation: skipRecurringPeriod,
  input: (visit, form) => ({
    ...input(visit),
    number: Number.parseInt(form.get('number') ?? '', 10),
  }),
  async show(visit, draft) {
    const { schedule } = await visit.run(getRecurring, input(visit))
    const { name, kind, nextNumber, nextDay } = schedule
    return formPage({
      title: `Skip the next one of ${name}`,
      back: { href: page(visit), text: name },
      draft,
      submit: 'Skip',
      children: (
        <>
          <input type="hidden" name="number" value={draft.values.get('number') ?? nextNumber} />
          <p>
            {nextDay === null
              ? 'The schedule has ended.'
              : `No ${kindLabels[kind].toLowerCase()} is made for ${formatDay(nextDay)}. The schedule goes on after it.`}
          </p>
        </>
      ),
    })
  },
  done: (visit) => ({ location: page(visit), message: 'Skipped.' }),
})

export const scheduleForms: AppRoute[] = [
  ...pauseAction,
  ...resumeAction,
  ...retryAction,
  ...endForm,
  ...skipForm,
]
