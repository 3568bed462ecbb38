// Mails to payers, with what only the books know: the invoice that was paid, and the time zone.
import type { Job } from '../kernel/jobs/job.ts'
import type { MerchantContext } from '../merchant/context.ts'
import { mailPayerJob } from '../merchant/payer-mails/send-payer-mail.ts'
import { mailSubscriberJob } from '../merchant/payer-mails/send-subscriber-mail.ts'
import { invoiceOffers } from './invoice-offers.ts'
import { payerFacts } from './payer-facts.ts'

export const payerMailJob: Job<MerchantContext, never> = {
  ...mailPayerJob,
  prepare(job) {
    const run = mailPayerJob.prepare(job)
    return (context, signal) => {
      const { timeZoneOf } = payerFacts(context)
      return run({ ...context, timeZoneOf, invoices: invoiceOffers(context) }, signal)
    }
  },
}

export const subscriberMailJob: Job<MerchantContext, never> = {
  ...mailSubscriberJob,
  prepare(job) {
    const run = mailSubscriberJob.prepare(job)
    return (context, signal) => run({ ...context, invoices: invoiceOffers(context) }, signal)
  },
}
