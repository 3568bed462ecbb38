// Stores a mail to a payer and what it tells, together: one mail for each fact and recipient,
// however often a job runs. The Message-ID comes from the id of the mail, so it stays the same.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { type MailKind, parseMailAddress } from '../../kernel/mail/mail.ts'
import { queueMail } from '../../kernel/mail/queue-mail.ts'
import type { Offer } from '../checkout/offer.ts'
import type { MerchantContext } from '../context.ts'
import { insertPayerMail } from './payer-mail-store.ts'
import type { PayerMailFact, PayerMailKind } from './payer-mails.ts'
import type { WrittenMail } from './write-payer-mail.ts'

const mailKinds: Readonly<Record<PayerMailKind, MailKind>> = {
  receipt: 'receipt',
  refund: 'money_back',
  subscription_start: 'subscription',
  failed_renewal: 'subscription',
  subscription_end: 'subscription',
}

export async function recordPayerMail(
  context: MerchantContext,
  tenant: Tenant,
  fact: PayerMailFact,
  { merchantName, brand }: Pick<Offer, 'merchantName' | 'brand'>,
  mail: WrittenMail,
): Promise<void> {
  const { database, ids, clock } = context
  const { kind, factId, recipient } = fact
  // A receipt has the id of its payment, and a refund notice that of its refund, as before there
  // were rows for facts: those are not told again.
  const id = kind === 'receipt' || kind === 'refund' ? factId : ids.uuid()
  const replyTo = parseMailAddress(brand.contactEmail ?? '')
  await database.transaction(async (tx) => {
    const isNew = await insertPayerMail(tx, tenant, fact, { mailId: id, createdAt: clock.now() })
    if (!isNew) return
    await queueMail(tx, context, {
      id,
      tenant,
      kind: mailKinds[kind],
      to: [recipient],
      senderName: merchantName,
      ...(replyTo !== undefined && { replyTo }),
      ...mail,
    })
    context.failpoint('payer-mail.keeping')
  })
  context.failpoint('payer-mail.kept')
}
