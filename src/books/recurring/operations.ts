// The operations of recurring schedules.
import type { Operation } from '../../kernel/operations/operation.ts'
import type { BooksContext } from '../context.ts'
import { createRecurringDocument } from './create-recurring-document.ts'
import { editRecurringDocument } from './edit-recurring-document.ts'
import { endRecurring } from './end-recurring.ts'
import { getRecurring } from './get-recurring.ts'
import { listRecurring } from './list-recurring.ts'
import { pauseRecurring } from './pause-recurring.ts'
import { resumeRecurring } from './resume-recurring.ts'
import { retryRecurring } from './retry-recurring.ts'
import { skipRecurringPeriod } from './skip-recurring-period.ts'

export const recurringOperations: readonly Operation<BooksContext>[] = [
  createRecurringDocument,
  editRecurringDocument,
  pauseRecurring,
  resumeRecurring,
  endRecurring,
  skipRecurringPeriod,
  retryRecurring,
  listRecurring,
  getRecurring,
]
