// The operations of recurring schedules, and of templates of journals.
import type { Operation } from '../../kernel/operations/operation.ts'
import type { BooksContext } from '../context.ts'
import { createJournalTemplate } from '../journal-templates/create-journal-template.ts'
import { deleteJournalTemplate } from '../journal-templates/delete-journal-template.ts'
import { listJournalTemplates } from '../journal-templates/list-journal-templates.ts'
import { createRecurringDocument } from './create-recurring-document.ts'
import { createRecurringJournal } from './create-recurring-journal.ts'
import { discardRecurringJournal } from './discard-recurring-journal.ts'
import { editRecurringDocument } from './edit-recurring-document.ts'
import { editRecurringJournal } from './edit-recurring-journal.ts'
import { endRecurring } from './end-recurring.ts'
import { getRecurring } from './get-recurring.ts'
import { listRecurring } from './list-recurring.ts'
import { pauseRecurring } from './pause-recurring.ts'
import { postRecurringJournal } from './post-recurring-journal.ts'
import { resumeRecurring } from './resume-recurring.ts'
import { retryRecurring } from './retry-recurring.ts'
import { skipRecurringPeriod } from './skip-recurring-period.ts'

export const recurringOperations: readonly Operation<BooksContext>[] = [
  createRecurringDocument,
  editRecurringDocument,
  createRecurringJournal,
  editRecurringJournal,
  postRecurringJournal,
  discardRecurringJournal,
  pauseRecurring,
  resumeRecurring,
  endRecurring,
  skipRecurringPeriod,
  retryRecurring,
  createJournalTemplate,
  deleteJournalTemplate,
  listJournalTemplates,
  listRecurring,
  getRecurring,
]
