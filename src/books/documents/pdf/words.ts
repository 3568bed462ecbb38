// The words of a document, and its date format.
import type { DocumentSnapshot } from '../document-snapshot.ts'

type Words = {
  readonly title: string
  readonly contact: string
  readonly date: string
  readonly dueDate: string
  readonly amountDue: string
}

const wordsByKind: Readonly<Record<DocumentSnapshot['kind'], Words>> = {
  invoice: {
    title: 'Invoice',
    contact: 'Billed to',
    date: 'Invoice date',
    dueDate: 'Due date',
    amountDue: 'Amount due',
  },
  credit_note: {
    title: 'Credit note',
    contact: 'Credited to',
    date: 'Date',
    dueDate: 'Due date',
    amountDue: 'Credit left',
  },
  bill: {
    title: 'Bill',
    contact: 'Supplier',
    date: 'Bill date',
    dueDate: 'Due date',
    amountDue: 'Amount due',
  },
  supplier_credit: {
    title: 'Supplier credit',
    contact: 'Supplier',
    date: 'Date',
    dueDate: 'Due date',
    amountDue: 'Credit left',
  },
  expense_claim: {
    title: 'Expense claim',
    contact: 'Claimed by',
    date: 'Date',
    dueDate: 'Due date',
    amountDue: 'Amount due',
  },
  quote: {
    title: 'Quote',
    contact: 'Prepared for',
    date: 'Quote date',
    dueDate: 'Valid until',
    amountDue: 'Amount due',
  },
}

export function wordsOf({ kind, number }: Pick<DocumentSnapshot, 'kind' | 'number'>): Words {
  const words = wordsByKind[kind]
  return number === null ? { ...words, title: `Draft ${words.title.toLowerCase()}` } : words
}

export function nameOf(snapshot: Pick<DocumentSnapshot, 'kind' | 'number'>): string {
  const { title } = wordsOf(snapshot)
  return snapshot.number === null ? title : `${title} ${snapshot.number}`
}

// Empty for a real document.
export function warningOn({ isSandbox }: DocumentSnapshot, isVoid: boolean): string {
  const warnings = [
    ...(isSandbox ? ['SANDBOX: THIS IS NOT A REAL DOCUMENT'] : []),
    ...(isVoid ? ['VOID: DO NOT PAY'] : []),
  ]
  return warnings.join('. ')
}

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
]

// `2026-11-05` as `5 November 2026`, which can't be misread.
export function longDate(day: string): string {
  const [, year, month = '', date = ''] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? []
  const name = months[Number.parseInt(month, 10) - 1]
  return name ? `${Number.parseInt(date, 10)} ${name} ${year}` : day
}
