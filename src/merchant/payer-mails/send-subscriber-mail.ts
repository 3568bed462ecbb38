// Mails a subscriber about the start and the end of the subscription, and about a charge that
// failed. The transaction of the fact queues a job, with the days that were true then; the job
// writes the mail.
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
import { openSubscriptionOffer } from '../checkout/open-offer.ts'
import type { MerchantContext } from '../context.ts'
import { isOpen, type Payment } from '../payments/payment.ts'
import { findPayment } from '../payments/payment-store.ts'
import { subscriberUrl } from '../subscriber-pages/subscriber-page.ts'
import { findSubscriberPage } from '../subscriber-pages/subscriber-page-store.ts'
import { findPlan } from '../subscriptions/plan-store.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { findSubscription } from '../subscriptions/subscription-store.ts'
import { findPayerMails } from './payer-mail-store.ts'
import type { PayerMailFact, PayerMails } from './payer-mails.ts'
import { recordPayerMail } from './record-payer-mail.ts'
import { type SubscriberFacts, writeSubscriberMail } from './write-subscriber-mail.ts'

const day = z.iso.date()

const payloadSchema = z.discriminatedUnion('kind', [
  // The day of the next charge.
  z.object({ kind: z.literal('subscription_start'), subscriptionId: z.uuid(), day }),
  // The day of the next try; null without one, for an invoice that the customer can pay.
  z.object({
    kind: z.literal('failed_renewal'),
    subscriptionId: z.uuid(),
    paymentId: z.uuid(),
    day: day.nullable(),
  }),
  // Null: it has ended. The payment is the one whose failure ended it.
  z.object({
    kind: z.literal('subscription_end'),
    subscriptionId: z.uuid(),
    paymentId: z.uuid().nullable(),
    day: day.nullable(),
  }),
])

export type SubscriberMail = z.infer<typeof payloadSchema>

const switches: Readonly<Record<SubscriberMail['kind'], keyof PayerMails>> = {
  subscription_start: 'subscriptionStarts',
  failed_renewal: 'failedRenewals',
  subscription_end: 'subscriptionEnds',
}

export const mailSubscriberJob = defineJob({
  kind: 'mail-subscriber',
  schema: payloadSchema,
  attemptsMax: 10,
  retryDelaysSeconds: [60, 300, 900],
  leaseSeconds: 30,
  ownSlots: 1,
  // An end that was decided can be taken back before it is told.
  endsWithoutCause: true,
  run: mailSubscriber,
})

// Part of the transaction of the fact. The switch counts at that moment.
export async function requestSubscriberMail(
  tx: Tx,
  context: Pick<Context, 'clock' | 'ids' | 'sample'>,
  { businessId, environment }: Tenant,
  told: SubscriberMail,
): Promise<void> {
  if (context.sample) return
  const wanted = await findPayerMails(tx, businessId)
  if (!wanted[switches[told.kind]]) return
  await enqueueJob(tx, context, mailSubscriberJob, {
    tenant: { businessId, environment },
    payload: told,
    uniqueKey: `${told.kind} ${factIdOf(told)}`,
  })
}

// A subscription starts once, and is told once that it ends: with the decision, or with the end.
function factIdOf(told: SubscriberMail): string {
  return told.kind === 'failed_renewal' ? told.paymentId : told.subscriptionId
}

// What only the books know.
type SubscriberMailContext = MerchantContext & { readonly invoices: Pick<Invoices, 'openById'> }

// What the transaction that queued the job has changed.
function hasHappened(
  told: SubscriberMail,
  { status, cancelAtPeriodEnd }: Subscription,
  payment: Payment | undefined,
): boolean {
  if (told.kind === 'subscription_start') return status !== 'incomplete'
  if (told.paymentId !== null) return payment !== undefined && !isOpen(payment)
  return cancelAtPeriodEnd || status === 'cancelled'
}

async function mailSubscriber(
  context: SubscriberMailContext,
  run: JobRun<SubscriberMail>,
): Promise<void> {
  const tenant = assertDefined(run.tenant, 'a subscription of no business')
  const told = run.payload
  const { database, log, publicUrl } = context
  const { subscriptionId: id } = told
  const [found, offer, page] = await Promise.all([
    findSubscription(database.sql, tenant, id),
    openSubscriptionOffer(context, { tenant, id }),
    findSubscriberPage(database.sql, tenant, id),
  ])
  const paymentId = 'paymentId' in told ? told.paymentId : null
  const failed = paymentId === null ? undefined : await findPayment(database.sql, tenant, paymentId)
  if (!found || !hasHappened(told, found, failed)) {
    throw new CauseMissing('a mail about no change of a subscription')
  }
  const subscription = found
  const recipient = parseMailAddress(subscription.payerEmail)
  if (recipient === undefined || !offer || !page) {
    log.warn({ subscriptionId: id }, 'a subscriber could not be mailed')
    return
  }
  const plan = await findPlan(database.sql, tenant, subscription.planId)
  const { isSimulated } = await context.providerFor(tenant)
  const facts: SubscriberFacts = {
    publicUrl,
    businessId: tenant.businessId,
    merchantName: offer.merchantName,
    brand: offer.brand,
    language: storedLanguage(subscription.payerLocale),
    isTest: tenant.environment === 'test',
    isSimulated,
    plan: assertDefined(plan, 'a subscription without a plan'),
    subscription,
    failed,
    invoiceUrl: await invoiceUrlOf(context, tenant, failed?.invoiceId ?? null),
    pageUrl: subscriberUrl(publicUrl, tenant, page.publicId),
  }
  const fact: PayerMailFact = { kind: told.kind, factId: factIdOf(told), recipient }
  await recordPayerMail(context, tenant, fact, offer, writeSubscriberMail(facts, told))
}

async function invoiceUrlOf(
  { publicUrl, invoices }: SubscriberMailContext,
  tenant: Tenant,
  invoiceId: string | null,
): Promise<string | undefined> {
  const invoice = invoiceId === null ? undefined : await invoices.openById(tenant, invoiceId)
  return invoice && `${publicUrl}${invoice.path}`
}
