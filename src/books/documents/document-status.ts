// The status of a document is a pure function of its decisions and amounts. It is stored only so
// that lists can be filtered by it.
export const documentKinds = [
  'invoice',
  'credit_note',
  'bill',
  'supplier_credit',
  'expense_claim',
] as const
export type DocumentKind = (typeof documentKinds)[number]

export const salesKinds: readonly DocumentKind[] = ['invoice', 'credit_note']
export const purchaseKinds: readonly DocumentKind[] = ['bill', 'supplier_credit', 'expense_claim']

export const documentSides = ['sales', 'purchases'] as const
export type DocumentSide = (typeof documentSides)[number]

export const documentStatuses = [
  'draft',
  'awaiting_approval',
  'approved',
  'sent',
  'posted',
  'partially_paid',
  'paid',
  'void',
  'closed',
] as const
export type DocumentStatus = (typeof documentStatuses)[number]

export type DocumentFacts = {
  readonly kind: DocumentKind
  readonly submittedAt: Date | null
  readonly approvedAt: Date | null
  readonly postedAt: Date | null
  readonly sentAt: Date | null
  readonly voidedAt: Date | null
  readonly totalMinor: bigint
  readonly paidMinor: bigint
  readonly creditedMinor: bigint
  readonly writtenOffMinor: bigint
}

export function documentStatus(facts: DocumentFacts): DocumentStatus {
  if (facts.voidedAt) return 'void'
  if (!facts.postedAt) {
    if (facts.approvedAt) return 'approved'
    return facts.submittedAt ? 'awaiting_approval' : 'draft'
  }
  const settledMinor = facts.paidMinor + facts.creditedMinor + facts.writtenOffMinor
  if (settledMinor === facts.totalMinor) return settledStatus(facts)
  if (settledMinor > 0n) return 'partially_paid'
  if (!isSale(facts.kind)) return 'approved'
  return facts.sentAt ? 'sent' : 'posted'
}

// A credit that is used up is closed, whether it was allocated or refunded. So is a partly
// written-off document, because "paid" tells listeners that it was paid in full.
function settledStatus(facts: DocumentFacts): DocumentStatus {
  const { kind, totalMinor, paidMinor, writtenOffMinor } = facts
  if (isCredit(kind) || writtenOffMinor > 0n) return 'closed'
  return totalMinor === 0n || paidMinor > 0n ? 'paid' : 'closed'
}

export function isSale(kind: DocumentKind): boolean {
  return salesKinds.includes(kind)
}

export function isCredit(kind: DocumentKind): boolean {
  return kind === 'credit_note' || kind === 'supplier_credit'
}

// Whether the contact owes us this (a debit on the control account) or we owe the contact.
export function isDebit(kind: DocumentKind): boolean {
  return kind === 'invoice' || kind === 'supplier_credit'
}
