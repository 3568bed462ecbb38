// A recurring invoice is charged to the saved card of a subscription whose customer agreed. The
// books and the payment service each record it, in one transaction.
import { z } from 'zod'
import { findContact } from '../books/contacts/contact-store.ts'
import { lockForScheduleChange, writeScheduleChange } from '../books/recurring/change-schedule.ts'
import { type RecurringSchedule, requireRunning } from '../books/recurring/recurring-schedule.ts'
import { findSchedule } from '../books/recurring/recurring-schedule-store.ts'
import { takesInvoicePayments } from '../books/service-money/service-settings.ts'
import { findServiceSettings } from '../books/service-money/service-settings-store.ts'
import { Fault, invalidField } from '../kernel/basics/fault.ts'
import type { Tenant } from '../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../kernel/db/database.ts'
import { writerRoles } from '../kernel/operations/permission.ts'
import { uuid } from '../kernel/operations/schemas.ts'
import { defineOperation } from '../merchant/context.ts'
import type { ProviderName } from '../merchant/provider/provider.ts'
import { endRenewals } from '../merchant/subscriptions/end-renewals.ts'
import { readTerms } from '../merchant/subscriptions/read-terms.ts'
import { type AgreedTerms, termsProblem } from '../merchant/subscriptions/schedule-terms.ts'
import { lockSubscription } from '../merchant/subscriptions/subscription-store.ts'

export const chooseRecurringCard = defineOperation({
  name: 'choose-recurring-card',
  summary: 'Charge a recurring invoice to the saved card of a subscription',
  kind: 'write',
  input: z.strictObject({ id: uuid(), subscriptionId: uuid() }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id, subscriptionId }): Promise<RecurringSchedule> {
    const provider = await context.providerFor(actor)
    return context.database.transaction(async (tx) => {
      const schedule = await lockForScheduleChange(tx, actor, id)
      const problem = await scheduleProblem(tx, actor, schedule)
      if (problem !== undefined) throw new Fault('conflict', problem)
      const subscription = await lockSubscription(tx, actor, subscriptionId)
      if (!subscription) throw invalidField('subscriptionId', 'There is no such subscription.')
      const terms = await readTerms(tx, actor, subscription)
      const refused = await choiceProblem(tx, actor, schedule, terms, provider.name)
      if (refused !== undefined) throw invalidField('subscriptionId', refused)
      await endRenewals(tx, context, actor, subscriptionId, id)
      return writeScheduleChange(tx, context, actor, schedule, {
        verb: 'charge_card',
        changes: { subscriptionId, chargeMaxMinor: terms.plan.amountMinor },
        detail: { subscriptionId },
      })
    })
  },
})

// Why the schedule can't charge any card now.
export async function scheduleProblem(
  sql: Sql | Tx,
  tenant: Tenant,
  schedule: RecurringSchedule,
): Promise<string | undefined> {
  requireRunning(schedule)
  if (schedule.subscriptionId !== null) return 'It charges a saved card already.'
  if (schedule.kind !== 'invoice' || schedule.mode !== 'send') {
    return 'Only invoices that are issued and mailed can be charged to a card. Edit the schedule first.'
  }
  const settings = await findServiceSettings(sql, tenant)
  if (!settings || !takesInvoicePayments(settings)) {
    return 'Switch on online payment of invoices first, so that the charges are booked.'
  }
  return undefined
}

// Why this subscription can't be charged by the schedule.
export async function choiceProblem(
  sql: Sql | Tx,
  tenant: Tenant,
  schedule: RecurringSchedule,
  terms: AgreedTerms,
  provider: ProviderName,
): Promise<string | undefined> {
  const { subscription } = terms
  const contact = schedule.contactId && (await findContact(sql, tenant, schedule.contactId))
  const email = contact ? contact.email : null
  if (email?.toLowerCase() !== subscription.payerEmail.toLowerCase()) {
    return 'The subscription is of another e-mail address than the contact.'
  }
  if (await isChargedByAnother(sql, tenant, schedule.id, terms)) {
    return 'Another recurring invoice is charged to its card.'
  }
  const { currency, totalMinor, nextDay, intervalUnit, intervalCount } = schedule
  const interval = { unit: intervalUnit, count: intervalCount }
  const wanted = { currency: currency ?? '', amountMinor: totalMinor ?? 0n, day: nextDay ?? '' }
  return termsProblem(terms, { ...wanted, interval }, provider)
}

// A schedule that has ended or charges another card has left it free.
async function isChargedByAnother(
  sql: Sql | Tx,
  tenant: Tenant,
  scheduleId: string,
  { subscription: { id, scheduleId: takenBy } }: AgreedTerms,
): Promise<boolean> {
  if (takenBy === null || takenBy === scheduleId) return false
  const other = await findSchedule(sql, tenant, takenBy)
  return other !== undefined && other.status !== 'ended' && other.subscriptionId === id
}
