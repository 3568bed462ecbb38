// Reserves the charge of a period, with the period and the invoice locked. Of two workers, the
// second waits and then finds it charged. What can't be charged is left to people, with the reason;
// the invoice stays open, and its customer can pay it on its page.

import type { Document } from '../books/documents/document.ts'
import { dueMinor } from '../books/documents/document-acts.ts'
import { lockDocument } from '../books/documents/document-store.ts'
import { listChargesUnderWay } from '../books/invoice-pages/invoice-charge-store.ts'
import { reserveInvoice } from '../books/invoice-pages/reserve-invoice.ts'
import { recurringActor } from '../books/recurring/make-period.ts'
import {
  lockUnchargedPeriod,
  type PeriodKey,
  updatePeriodCharge,
} from '../books/recurring/period-charge-store.ts'
import { unchargedNotice } from '../books/recurring/recurring-notice.ts'
import { isLate, type RecurringSchedule } from '../books/recurring/recurring-schedule.ts'
import { findSchedule } from '../books/recurring/recurring-schedule-store.ts'
import { lockServiceSettingsForShare } from '../books/service-money/service-settings-store.ts'
import { today } from '../books/settings/organisation.ts'
import { findOrganisation } from '../books/settings/organisation-store.ts'
import { recordAct } from '../kernel/auth/audit-log.ts'
import { assertDefined } from '../kernel/basics/assert.ts'
import type { Tenant } from '../kernel/basics/tenant.ts'
import type { Tx } from '../kernel/db/database.ts'
import { notify } from '../kernel/notices/notify.ts'
import type { MerchantContext } from '../merchant/context.ts'
import type { ProviderName } from '../merchant/provider/provider.ts'
import type { CardCharge } from '../merchant/subscriptions/charge-card.ts'
import { readTerms } from '../merchant/subscriptions/read-terms.ts'
import { mustWait } from '../merchant/subscriptions/reserve-renewal.ts'
import { reserveScheduleCharge } from '../merchant/subscriptions/reserve-schedule-charge.ts'
import { termsProblem } from '../merchant/subscriptions/schedule-terms.ts'
import { lockSubscription } from '../merchant/subscriptions/subscription-store.ts'

const late = 'It is more than three days late, so the card was not charged.'
const paid = 'Nothing was due any more.'
const stopped = 'The card is no longer charged by this schedule.'

// Undefined if it is charged already, must wait, or was left to people.
export async function reserveRecurringCharge(
  tx: Tx,
  context: MerchantContext,
  tenant: Tenant,
  key: Pick<PeriodKey, 'scheduleId' | 'number'>,
  provider: ProviderName,
): Promise<CardCharge | undefined> {
  const period = await lockUnchargedPeriod(tx, tenant, key)
  if (!period) return undefined
  const found = await findSchedule(tx, tenant, key.scheduleId)
  const schedule = assertDefined(found, 'a period without its schedule')
  const organisation = await findOrganisation(tx, tenant)
  const { day } = period
  const leave = (reason: string) => leaveUncharged(tx, context, tenant, schedule, key, day, reason)
  if (isLate(day, today(organisation, context.clock.now()))) return leave(late)
  if (await mustWait(tx, context, tenant)) return undefined
  const invoice = await lockInvoice(tx, tenant, period.documentId)
  // A customer is paying it on its page.
  if ((await listChargesUnderWay(tx, tenant, invoice.id)).length > 0) return undefined
  const amountMinor = dueMinor(invoice)
  if (amountMinor <= 0n) return leave(paid)
  const { subscriptionId } = schedule
  const subscription = subscriptionId && (await lockSubscription(tx, tenant, subscriptionId))
  if (!subscription || subscription.scheduleId !== schedule.id) return leave(stopped)
  const terms = await readTerms(tx, tenant, subscription)
  const { currency } = invoice
  const interval = { unit: schedule.intervalUnit, count: schedule.intervalCount }
  const problem = termsProblem(terms, { currency, amountMinor, day, interval }, provider)
  if (problem !== undefined) return leave(problem)
  const paymentId = context.ids.uuid()
  const bound = { documentId: invoice.id, paymentId, currency, amountMinor }
  // Payments of invoices are not booked now. It is charged when they are, or left when it is late.
  if (!(await reserveInvoice(tx, context, tenant, bound))) return undefined
  await updatePeriodCharge(tx, tenant, key, { charge: 'charged', chargeNote: null })
  const charged = { ...key, day, paymentId, invoiceId: invoice.id, currency, amountMinor }
  return reserveScheduleCharge(tx, context, tenant, terms, charged, provider)
}

// The settings are locked before the invoice, as by the posting.
async function lockInvoice(tx: Tx, tenant: Tenant, id: string | null): Promise<Document> {
  await lockServiceSettingsForShare(tx, tenant)
  const document = id === null ? undefined : await lockDocument(tx, tenant, id)
  return assertDefined(document, 'a charged period without its invoice')
}

async function leaveUncharged(
  tx: Tx,
  context: MerchantContext,
  tenant: Tenant,
  schedule: RecurringSchedule,
  key: Pick<PeriodKey, 'scheduleId' | 'number'>,
  day: string,
  reason: string,
): Promise<undefined> {
  await updatePeriodCharge(tx, tenant, key, { charge: 'left', chargeNote: reason })
  await recordAct(tx, context, recurringActor(tenant), {
    action: 'recurring.leave_uncharged',
    objectKind: 'recurring_schedule',
    objectId: schedule.id,
    detail: { day, reason },
  })
  if (reason !== paid) {
    await notify(tx, context, tenant, unchargedNotice(schedule, { ...key, day }, reason))
  }
  return undefined
}
