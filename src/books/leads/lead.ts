// A lead: a possible customer. new → contacted → qualified → quoted → won | lost. A lead can skip
// steps and go back, but won and lost are final.
import { currencyOf } from '../../kernel/money/currency.ts'
import { fromMinor } from '../../kernel/money/minor-units.ts'

export const openLeadStatuses = ['new', 'contacted', 'qualified', 'quoted'] as const
type OpenLeadStatus = (typeof openLeadStatuses)[number]
export const leadStatuses = [...openLeadStatuses, 'won', 'lost'] as const
export type LeadStatus = (typeof leadStatuses)[number]

export type Lead = {
  readonly id: string
  readonly status: LeadStatus
  readonly name: string
  readonly company: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly notes: string | null
  readonly valueMinor: bigint | null
  readonly currency: string
  readonly contactId: string | null
  readonly quoteId: string | null
  readonly lostReason: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export function isOpen(lead: Lead): lead is Lead & { status: OpenLeadStatus } {
  return lead.status !== 'won' && lead.status !== 'lost'
}

export function leadEventData(lead: Lead) {
  const currency = currencyOf(lead.currency)
  return {
    id: lead.id,
    name: lead.name,
    company: lead.company,
    value: lead.valueMinor === null ? null : fromMinor(lead.valueMinor, currency),
    currency: lead.currency,
    contact_id: lead.contactId,
    quote_id: lead.quoteId,
  }
}
