// The mail that sends an invoice or credit note. Its content comes from the frozen snapshot, so
// that mail and PDF agree. A due date that was changed since is told as such.
import { grouped } from '../../kernel/money/decimal.ts'
import type { DocumentSnapshot } from './document-snapshot.ts'
import { longDate } from './pdf/words.ts'

export function documentMail(
  snapshot: DocumentSnapshot,
  // As agreed now.
  { dueDate }: { readonly dueDate: string },
  message: string | undefined,
): { readonly subject: string; readonly text: string } {
  const { organisation, contact, number, total, currency, dueDate: printed } = snapshot
  const name = snapshot.kind === 'credit_note' ? 'Credit note' : 'Invoice'
  const isChanged = printed !== null && printed !== dueDate
  const change = isChanged ? ` instead of ${longDate(printed)}` : ''
  const due = printed === null ? '' : `, due on ${longDate(dueDate)}${change}`
  const text = [
    message ?? `Dear ${contact.name},`,
    `Please find attached ${name.toLowerCase()} ${number} for ${currency} ${grouped(total)}${due}.`,
    ...(snapshot.paymentDetails === null ? [] : [snapshot.paymentDetails]),
    organisation.name,
  ]
  return { subject: `${name} ${number} from ${organisation.name}`, text: `${text.join('\n\n')}\n` }
}
