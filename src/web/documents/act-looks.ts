// How the acts on a document are named and reached. `isStep`: one of the steps that take a document
// from draft to paid; the others are in the menu.
import { approveDocument } from '../../books/documents/approve-document.ts'
import { changeDueDate } from '../../books/documents/change-due-date.ts'
import { createDocument } from '../../books/documents/create-document.ts'
import { discardDocument } from '../../books/documents/discard-document.ts'
import type { Document } from '../../books/documents/document.ts'
import type { DocumentAct } from '../../books/documents/document-acts.ts'
import { isCredit, isSale } from '../../books/documents/document-status.ts'
import { editDocument } from '../../books/documents/edit-document.ts'
import { issueDocument } from '../../books/documents/issue-document.ts'
import { markDocumentSent } from '../../books/documents/mark-document-sent.ts'
import { reopenDocument } from '../../books/documents/reopen-document.ts'
import { returnDocument } from '../../books/documents/return-document.ts'
import { sendDocument } from '../../books/documents/send-document.ts'
import { submitDocument } from '../../books/documents/submit-document.ts'
import { voidDocument } from '../../books/documents/void-document.ts'
import { withdrawDocument } from '../../books/documents/withdraw-document.ts'
import { allocateCredit } from '../../books/payments/allocate-credit.ts'
import { recordPayment } from '../../books/payments/record-payment.ts'
import { refundCredit } from '../../books/payments/refund-credit.ts'
import { writeOffBill } from '../../books/payments/write-off-bill.ts'
import { writeOffInvoice } from '../../books/payments/write-off-invoice.ts'
import { createRecurringDocument } from '../../books/recurring/create-recurring-document.ts'
import { disputeInvoice } from '../../books/reminders/dispute-invoice.ts'
import { resumeInvoiceReminders } from '../../books/reminders/resume-invoice-reminders.ts'
import type { Operation } from '../../kernel/operations/operation.ts'

type Guard = Pick<Operation<never>, 'scopes' | 'roles' | 'peopleOnly'>

type Look = {
  readonly label: string
  // The end of its address.
  readonly slug: string
  readonly isStep?: boolean
  operationOf(document: Pick<Document, 'kind'>): Guard
}

export const actLooks: Readonly<Record<DocumentAct, Look>> = {
  edit: { label: 'Edit', slug: 'edit', isStep: true, operationOf: () => editDocument },
  submit: { label: 'Submit', slug: 'submit', isStep: true, operationOf: () => submitDocument },
  withdraw: { label: 'Withdraw', slug: 'withdraw', operationOf: () => withdrawDocument },
  approve: { label: 'Approve', slug: 'approve', isStep: true, operationOf: () => approveDocument },
  return: { label: 'Return', slug: 'return', isStep: true, operationOf: () => returnDocument },
  reopen: { label: 'Reopen', slug: 'reopen', operationOf: () => reopenDocument },
  issue: { label: 'Issue', slug: 'issue', isStep: true, operationOf: () => issueDocument },
  send: { label: 'Send', slug: 'send', isStep: true, operationOf: () => sendDocument },
  mark_sent: {
    label: 'Mark as sent',
    slug: 'mark-sent',
    operationOf: () => markDocumentSent,
  },
  record_payment: {
    label: 'Record payment',
    slug: 'payment',
    isStep: true,
    operationOf: () => recordPayment,
  },
  use_credit: { label: 'Use a credit', slug: 'use-credit', operationOf: () => allocateCredit },
  refund_credit: {
    label: 'Refund',
    slug: 'refund',
    isStep: true,
    operationOf: () => refundCredit,
  },
  credit: { label: 'Credit', slug: 'credit', operationOf: () => createDocument },
  write_off: {
    label: 'Write off',
    slug: 'write-off',
    operationOf: ({ kind }) => (isSale(kind) ? writeOffInvoice : writeOffBill),
  },
  change_due_date: {
    label: 'Change due date',
    slug: 'due-date',
    operationOf: () => changeDueDate,
  },
  dispute: { label: 'Flag as disputed', slug: 'dispute', operationOf: () => disputeInvoice },
  resume_reminders: {
    label: 'Resume reminders',
    slug: 'resume-reminders',
    operationOf: () => resumeInvoiceReminders,
  },
  void: { label: 'Void', slug: 'void', operationOf: () => voidDocument },
  duplicate: { label: 'Duplicate', slug: 'duplicate', operationOf: () => createDocument },
  recur: { label: 'Make recurring', slug: 'recur', operationOf: () => createRecurringDocument },
  discard: { label: 'Discard', slug: 'discard', operationOf: () => discardDocument },
}

// What an act is called on this document.
export function actLabel(act: DocumentAct, { kind }: Pick<Document, 'kind'>): string {
  if (act === 'credit') return isSale(kind) ? 'Make a credit note' : 'Make a supplier credit'
  if (act === 'use_credit' && isCredit(kind))
    return isSale(kind) ? 'Use for invoice' : 'Use for bill'
  return actLooks[act].label
}

// A credit is there to be used.
export function isStep(act: DocumentAct, { kind }: Pick<Document, 'kind'>): boolean {
  return actLooks[act].isStep === true || (act === 'use_credit' && isCredit(kind))
}

// These need no question: they can be undone, or only make a draft.
const atOnce: readonly DocumentAct[] = [
  'submit',
  'withdraw',
  'reopen',
  'mark_sent',
  'resume_reminders',
  'credit',
  'duplicate',
]

export function isAtOnce(act: DocumentAct): boolean {
  return atOnce.includes(act)
}
