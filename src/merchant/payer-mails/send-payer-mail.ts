// Mails a payer about a payment that has succeeded or money that goes back. The transaction of the
// fact queues a job, so that it costs one row there; the job writes the mail.
import { z } from 'zod'
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { enqueueJob } from '../../kernel/jobs/enqueue-job.ts'
import { CauseMissing, defineJob, type JobRun } from '../../kernel/jobs/job.ts'
import { parseMailAddress } from '../../kernel/mail/mail.ts'
import { storedLanguage } from '../../payer-texts/payer-language.ts'
import type { Invoices } from '../checkout/invoice-offer.ts'
import { titleOf } from '../checkout/offer.ts'
import { openOfferOf } from '../checkout/open-offer.ts'
import type { MerchantContext } from '../context.ts'
import { listPaymentItems } from '../payment-links/payment-link-item-store.ts'
import { isCollected, type Payment } from '../payments/payment.ts'
import { listPaymentDetails } from '../payments/payment-detail-store.ts'
import { findPayment } from '../payments/payment-store.ts'
import { findRefund } from '../refunds/refund-store.ts'
import type { PayerMails } from './payer-mails.ts'
import { readRenewal } from './read-renewal.ts'
import { recordPayerMail } from './record-payer-mail.ts'
import { type WrittenMail, writeReceipt, writeRefundNotice } from './write-payer-mail.ts'

const payloadSchema = z.object({
  paymentId: z.uuid(),
  // Without one, it is the receipt.
  refundId: z.uuid().nullable(),
})

type Fact = z.infer<typeof payloadSchema>

// What only the books know.
export type PayerMailContext = MerchantContext & {
  readonly invoices: Invoices
  timeZoneOf(tenant: Tenant): Promise<string>
}

export const mailPayerJob = defineJob({
  kind: 'mail-payer',
  schema: payloadSchema,
  attemptsMax: 10,
  retryDelaysSeconds: [60, 300, 900],
  leaseSeconds: 30,
  // One for each payment, and none is urgent.
  ownSlots: 1,
  run: mailPayer,
})

// A renewal, or an invoice that a schedule charges, is charged without the payer, so its payment
// has no page of the provider.
export function wantsReceipt(
  wanted: PayerMails,
  { subscriptionId, invoiceId, checkoutUrl }: Payment,
): boolean {
  const isOfCard = (subscriptionId ?? invoiceId) !== null && checkoutUrl === null
  return isOfCard ? wanted.renewals : wanted.receipts
}

// Part of the transaction of the fact.
export async function requestPayerMail(
  tx: Tx,
  context: Pick<Context, 'clock' | 'ids' | 'sample'>,
  { businessId, environment }: Tenant,
  // What the business wants to be told of this.
  isOn: boolean,
  fact: Fact,
): Promise<void> {
  if (!isOn || context.sample) return
  await enqueueJob(tx, context, mailPayerJob, {
    tenant: { businessId, environment },
    payload: fact,
    uniqueKey: fact.refundId ?? fact.paymentId,
  })
}

async function mailPayer(context: PayerMailContext, run: JobRun<Fact>): Promise<void> {
  const tenant = assertDefined(run.tenant, 'a payment of no business')
  const { paymentId, refundId } = run.payload
  const { database, log } = context
  const payment = await findPayment(database.sql, tenant, paymentId)
  // A refund can be of a charge that came after the payment had ended.
  if (!payment || (refundId === null && !isCollected(payment))) {
    throw new CauseMissing('a mail about no payment')
  }
  const to = parseMailAddress(payment.payerEmail)
  const offer = await openOfferOf(context, tenant, payment)
  if (to === undefined || !offer) {
    log.warn({ payment: paymentId }, 'a payer could not be mailed')
    return
  }
  const { merchantName, brand } = offer
  const language = storedLanguage(payment.payerLocale)
  const mail = await write(context, tenant, refundId, {
    payment,
    merchantName,
    brand,
    language,
    title: titleOf(offer, language),
  })
  const told =
    refundId === null
      ? ({ kind: 'receipt', factId: paymentId } as const)
      : ({ kind: 'refund', factId: refundId } as const)
  await recordPayerMail(context, tenant, { ...told, recipient: to }, offer, mail)
}

type Told = Pick<
  Parameters<typeof writeReceipt>[0],
  'merchantName' | 'brand' | 'language' | 'title'
> & { readonly payment: Payment }

async function write(
  context: PayerMailContext,
  tenant: Tenant,
  refundId: string | null,
  told: Told,
): Promise<WrittenMail> {
  const { sql } = context.database
  const [detail] = await listPaymentDetails(sql, tenant, [told.payment.id])
  const { isSimulated } = await context.providerFor(tenant)
  const { id, isItemised } = told.payment
  const facts = {
    ...told,
    detail,
    lines: isItemised ? await listPaymentItems(sql, tenant, [id]) : [],
    publicUrl: context.publicUrl,
    businessId: tenant.businessId,
    timeZone: await context.timeZoneOf(tenant),
    isTest: tenant.environment === 'test',
    isSimulated,
  }
  if (refundId === null) {
    return writeReceipt(facts, await readRenewal(context, tenant, told.payment))
  }
  const refund = await findRefund(sql, tenant, refundId)
  if (!refund || refund.status === 'pending') throw new CauseMissing('a notice of no refund')
  return writeRefundNotice(facts, refund)
}
