// The mail that an invoice or credit note goes out with. Everything in it comes from the frozen
// snapshot, so that mail and file say the same.
import type { DocumentSnapshot } from './document-snapshot.ts'

export function documentMail(
  snapshot: DocumentSnapshot,
  message: string | undefined,
): { readonly subject: string; readonly text: string } {
  const { organisation, contact, number, total, currency, dueDate } = snapshot
  const name = snapshot.kind === 'credit_note' ? 'Credit note' : 'Invoice'
  const due = dueDate === null ? '' : `, due on ${dueDate}`
  const text = [
    message ?? `Dear ${contact.name},`,
    `please find ${name.toLowerCase()} ${number} over ${total} ${currency}${due} attached.`,
    ...(snapshot.paymentDetails === null ? [] : [snapshot.paymentDetails]),
    organisation.name,
  ]
  return { subject: `${name} ${number} from ${organisation.name}`, text: `${text.join('\n\n')}\n` }
}
