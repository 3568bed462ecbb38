// Which operation a document allows in which state. Pure; operations check it after they have
// locked the document.
import { Fault } from '../../kernel/basics/fault.ts'
import type { Document } from './document.ts'
import { type DocumentKind, isSale } from './document-status.ts'

export type DocumentOperation =
  | 'edit'
  | 'submit'
  | 'withdraw'
  | 'return'
  | 'approve'
  | 'reopen'
  | 'issue'
  | 'send'
  | 'change_due_date'
  | 'void'
  | 'discard'

export type Approvals = { readonly approvalsOn: boolean }

export function requireTransition(
  document: Document,
  operation: DocumentOperation,
  approvals: Approvals,
): void {
  const problem = transitionProblem(document, operation, approvals)
  if (problem) throw new Fault('conflict', problem)
}

// Why not, and what to do instead; undefined if it is allowed.
export function transitionProblem(
  document: Document,
  operation: DocumentOperation,
  { approvalsOn }: Approvals,
): string | undefined {
  const { status, kind } = document
  const isInBooks = document.postedAt !== null && status !== 'void'
  const what = `${capitalised(kindNames[kind])} that is ${statusNames[status]}`
  switch (operation) {
    case 'edit':
      if (status === 'draft') return undefined
      if (isInBooks) return `${what} can't be changed. Void it, or credit it.`
      if (status === 'void') return `${what} can't be changed.`
      return status === 'approved'
        ? `${what} cannot be edited. Reopen it first.`
        : `${what} cannot be edited. Withdraw or return it first.`
    case 'submit':
      if (status !== 'draft') return `${what} cannot be submitted.`
      return approvalsOn ? undefined : 'Approvals are off, so documents are not submitted.'
    case 'withdraw':
      return status === 'awaiting_approval' ? undefined : `${what} cannot be withdrawn.`
    case 'return':
      return status === 'awaiting_approval' ? undefined : `${what} cannot be returned.`
    case 'approve':
      if (status === 'awaiting_approval') return undefined
      if (status !== 'draft') return `${what} cannot be approved.`
      if (approvalsOn) return `${what} must be submitted before it is approved.`
      return isSale(kind) ? 'Approvals are off. Issue it.' : undefined
    case 'reopen':
      return status === 'approved' && !isInBooks ? undefined : `${what} cannot be reopened.`
    case 'issue':
      if (!isSale(kind)) return `${capitalised(kindNames[kind])} is approved, not issued.`
      if (status === 'approved' || (status === 'draft' && !approvalsOn)) return undefined
      return status === 'draft'
        ? `${what} must be approved before it is issued.`
        : `${what} cannot be issued.`
    case 'send':
      if (!isSale(kind)) return `${capitalised(kindNames[kind])} cannot be sent.`
      if (isInBooks) return undefined
      return status === 'void'
        ? `${what} cannot be sent.`
        : `${what} cannot be sent. Issue it first.`
    case 'change_due_date':
      if (isInBooks) return undefined
      return status === 'void' ? `${what} can't be changed.` : `${what} is not due yet. Edit it.`
    case 'void':
      if (!isInBooks) {
        return status === 'void'
          ? `${what} can't be changed.`
          : `${what} cannot be voided. Discard it.`
      }
      return isUnsettled(document)
        ? undefined
        : `${what} cannot be voided. Remove its payments, credits and write-offs first.`
    case 'discard':
      if (isInBooks) return `${what} cannot be discarded. Void it.`
      return status === 'void' ? `${what} can't be changed.` : undefined
  }
}

function isUnsettled({ paidMinor, creditedMinor, writtenOffMinor }: Document): boolean {
  return paidMinor === 0n && creditedMinor === 0n && writtenOffMinor === 0n
}

const kindNames: Readonly<Record<DocumentKind, string>> = {
  invoice: 'an invoice',
  credit_note: 'a credit note',
  bill: 'a bill',
  supplier_credit: 'a supplier credit',
  expense_claim: 'an expense claim',
}

const statusNames: Readonly<Record<Document['status'], string>> = {
  draft: 'a draft',
  awaiting_approval: 'awaiting approval',
  approved: 'approved',
  posted: 'issued',
  sent: 'sent',
  partially_paid: 'partially paid',
  paid: 'paid',
  closed: 'closed',
  void: 'void',
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
