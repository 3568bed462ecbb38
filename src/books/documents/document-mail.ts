// The mail that sends an invoice or credit note. Its content comes from the frozen snapshot, so
// that mail and PDF agree. A due date that was changed since is told as such.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Brand } from '../../kernel/brand/brand.ts'
import { grouped } from '../../kernel/money/decimal.ts'
import { renderBrandedMail } from '../../kernel/web/branded-mail.tsx'
import type { DocumentSnapshot, SnapshotPage } from './document-snapshot.ts'
import { longDate } from './pdf/words.ts'

export type MailSender = {
  readonly publicUrl: string
  readonly tenant: Tenant
  // As it is now.
  readonly brand: Brand
}

export function documentMail(
  sender: MailSender,
  snapshot: DocumentSnapshot,
  // As agreed now.
  { dueDate }: { readonly dueDate: string },
  message: string | undefined,
): { readonly subject: string; readonly text: string; readonly html: string } {
  const { organisation, contact, number, total, currency, dueDate: printed } = snapshot
  const name = snapshot.kind === 'credit_note' ? 'Credit note' : 'Invoice'
  const isChanged = printed !== null && printed !== dueDate
  const change = isChanged ? ` instead of ${longDate(printed)}` : ''
  const due = printed === null ? '' : `, due on ${longDate(dueDate)}${change}`
  const amount = `${currency} ${grouped(total)}`
  const mail = customerMail(sender, snapshot, {
    heading: `${name} ${number}`,
    paragraphs: [
      message ?? `Dear ${contact.name},`,
      `Please find attached ${name.toLowerCase()} ${number} for ${amount}${due}.`,
      ...(snapshot.paymentDetails === null ? [] : [snapshot.paymentDetails]),
    ],
    ...(snapshot.page && { action: actionOf(snapshot.page) }),
  })
  return { subject: `${name} ${number} from ${organisation.name}`, ...mail }
}

type CustomerMail = {
  readonly heading: string
  readonly paragraphs: readonly string[]
  readonly action?: { readonly text: string; readonly url: string }
}

// A mail about a document to the customer, with the brand of the organisation.
export function customerMail(
  { publicUrl, tenant, brand }: MailSender,
  { organisation }: Pick<DocumentSnapshot, 'organisation'>,
  content: CustomerMail,
): { readonly text: string; readonly html: string } {
  return renderBrandedMail({
    publicUrl,
    businessId: tenant.businessId,
    businessName: organisation.name,
    brand,
    language: 'en',
    warning: tenant.environment === 'test' ? 'Test mode: this is not a real document.' : undefined,
    labels: { terms: 'Terms', privacy: 'Privacy' },
    ...content,
  })
}

function actionOf({ url, takesPayments }: SnapshotPage) {
  return { text: takesPayments ? 'See it and pay it online' : 'See it online', url }
}
