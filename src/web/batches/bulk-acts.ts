// What people do to many documents at once, and in which words.
import type { BatchAct } from '../../books/batches/batch.ts'
import type { DocumentSide } from '../../books/documents/document-status.ts'

type Look = {
  readonly label: string
  readonly slug: string
  // Of the form and of the page with the result.
  titleOf(count: number): string
  // What happened to one of them.
  readonly done: string
  // What will happen.
  readonly effect: string
}

export const bulkLooks: Readonly<Record<BatchAct, Look>> = {
  submit: {
    label: 'Submit',
    slug: 'submit',
    titleOf: (count) => `Submit ${documentsText(count)}`,
    done: 'Submitted',
    effect: 'They wait for approval, and can’t be changed until then.',
  },
  approve: {
    label: 'Approve',
    slug: 'approve',
    titleOf: (count) => `Approve ${documentsText(count)}`,
    done: 'Approved',
    effect: 'Invoices and credit notes can then be issued; the others are booked at once.',
  },
  issue: {
    label: 'Issue',
    slug: 'issue',
    titleOf: (count) => `Issue ${documentsText(count)}`,
    done: 'Issued',
    effect: 'Each gets its number and is booked. An issued document never changes.',
  },
  send: {
    label: 'Send',
    slug: 'send',
    titleOf: (count) => `Send ${documentsText(count)}`,
    done: 'Sent',
    effect: 'Each customer gets a mail with the PDF, at the address on the document.',
  },
  record_payment: {
    label: 'Record payment',
    slug: 'payment',
    titleOf: (count) => `Record ${count === 1 ? '1 payment' : `${count} payments`}`,
    done: 'Paid',
    effect: 'One payment of the amount due is booked for each document.',
  },
}

// Without approvals, nothing is submitted, and sales are issued straight from the draft.
export function actsOfSide(side: DocumentSide, approvalsOn: boolean): readonly BatchAct[] {
  const sales = side === 'sales'
  return [
    ...(approvalsOn ? (['submit'] as const) : []),
    ...(approvalsOn || !sales ? (['approve'] as const) : []),
    ...(sales ? (['issue', 'send'] as const) : []),
    'record_payment',
  ]
}

function documentsText(count: number): string {
  return count === 1 ? '1 document' : `${count} documents`
}
