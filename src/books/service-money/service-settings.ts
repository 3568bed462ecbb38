// The settings of automatic bookkeeping for the merchant service.
import { addSeconds } from '../../kernel/basics/clock.ts'
import { lowestUuidAt } from '../../kernel/basics/id.ts'

export type ServiceSettings = {
  readonly isOn: boolean
  // Earlier movements are left to people.
  readonly since: Date
  // How far movements were recorded; see `src/bridge`.
  readonly lookFrom: string
  readonly nearFrom: string
  readonly lookedAt: Date
  readonly lookedBackAt: Date
  readonly unassignedAccountId: string
  readonly shareAccountId: string
  readonly payoutAccountId: string
  // Whether customers can pay invoices on their pages, and whether in parts.
  readonly takesInvoicePayments: boolean
  readonly takesPartPayments: boolean
}

// Only while the payments are booked automatically, so that a paid invoice is known to be paid.
export function takesInvoicePayments(settings: ServiceSettings): boolean {
  return settings.isOn && settings.takesInvoicePayments
}

// The id of an entry is made a moment before its time.
const marginSeconds = 60

// Nothing has been recorded yet.
export function lookingFrom(
  since: Date,
  now: Date,
): Pick<ServiceSettings, 'since' | 'lookFrom' | 'nearFrom' | 'lookedAt' | 'lookedBackAt'> {
  const first = lowestUuidAt(addSeconds(since, -marginSeconds))
  return { since, lookFrom: first, nearFrom: first, lookedAt: since, lookedBackAt: now }
}

// The actor of automatic postings. No other actor has this name: the entries of a movement are
// found by it.
export const serviceActorName = 'payment service'
