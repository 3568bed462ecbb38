// Every page and form of recurring schedules.
import type { AppRoute } from '../shell/define-page.ts'
import { recurringEditors } from './recurring-editor.tsx'
import { recurringJournalForms } from './recurring-journal-forms.tsx'
import { recurringPages } from './recurring-page.tsx'
import { savedCardForms } from './saved-card-forms.tsx'
import { scheduleForms } from './schedule-forms.tsx'
import { schedulePages } from './schedule-page.tsx'

export const recurringRoutes: AppRoute[] = [
  ...recurringPages,
  ...recurringEditors,
  ...recurringJournalForms,
  ...schedulePages,
  ...scheduleForms,
  ...savedCardForms,
]
