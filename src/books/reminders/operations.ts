// The operations about reminders and statements.
import type { Operation } from '../../kernel/operations/operation.ts'
import type { BooksContext } from '../context.ts'
import { getStatementFile } from '../statements/get-statement-file.ts'
import { getContactStatements } from '../statements/monthly/get-contact-statements.ts'
import { getMonthlyStatements } from '../statements/monthly/get-monthly-statements.ts'
import { resumeContactStatements } from '../statements/monthly/resume-statements.ts'
import { setMonthlyStatements } from '../statements/monthly/set-monthly-statements.ts'
import { stopContactStatements } from '../statements/monthly/stop-statements.ts'
import { sendStatement } from '../statements/send-statement.ts'
import { disputeInvoice } from './dispute-invoice.ts'
import { getReminders } from './get-reminders.ts'
import { pauseContactReminders } from './pause-contact-reminders.ts'
import { previewReminders } from './preview-reminders.ts'
import { resumeContactReminders } from './resume-contact-reminders.ts'
import { resumeInvoiceReminders } from './resume-invoice-reminders.ts'
import { setReminders } from './set-reminders.ts'

export const reminderOperations: readonly Operation<BooksContext>[] = [
  setReminders,
  disputeInvoice,
  resumeInvoiceReminders,
  pauseContactReminders,
  resumeContactReminders,
  getReminders,
  previewReminders,
  sendStatement,
  getStatementFile,
  setMonthlyStatements,
  stopContactStatements,
  resumeContactStatements,
  getMonthlyStatements,
  getContactStatements,
]
