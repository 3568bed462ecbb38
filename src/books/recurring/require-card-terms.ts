// A schedule that charges a saved card keeps to what its customer agreed to. To change more, people
// first stop charging the card.
import { invalidField } from '../../kernel/basics/fault.ts'
import type { RecurringSchedule } from './recurring-schedule.ts'

const stopFirst = 'To change it, stop charging the saved card first.'

export function requireCardTerms(
  schedule: RecurringSchedule,
  changed: Pick<
    RecurringSchedule,
    'mode' | 'contactId' | 'currency' | 'totalMinor' | 'intervalUnit' | 'intervalCount'
  >,
): void {
  const { subscriptionId, chargeMaxMinor } = schedule
  if (subscriptionId === null || chargeMaxMinor === null) return
  if (changed.mode !== schedule.mode) {
    throw invalidField('mode', `Only mailed invoices are charged to a card. ${stopFirst}`)
  }
  if (changed.contactId !== schedule.contactId) {
    throw invalidField('contactId', `The card belongs to this customer. ${stopFirst}`)
  }
  if (
    changed.intervalUnit !== schedule.intervalUnit ||
    changed.intervalCount !== schedule.intervalCount
  ) {
    throw invalidField('intervalUnit', `The customer agreed to this rhythm. ${stopFirst}`)
  }
  if (changed.currency !== schedule.currency) {
    throw invalidField('currency', `The customer agreed to ${schedule.currency}. ${stopFirst}`)
  }
  if (changed.totalMinor === null || changed.totalMinor > chargeMaxMinor) {
    throw invalidField('lines', `This is more than the customer agreed to. ${stopFirst}`)
  }
}
