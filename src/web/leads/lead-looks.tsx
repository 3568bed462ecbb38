// How leads are named and what can be done with one, on the board and on its own page.
import { createContact } from '../../books/contacts/create-contact.ts'
import { editLead } from '../../books/leads/edit-lead.ts'
import { isOpen, type Lead, type LeadStatus, openLeadStatuses } from '../../books/leads/lead.ts'
import { moveLead } from '../../books/leads/move-lead.ts'
import { Icon } from '../components/icon.tsx'
import { tokenField } from '../shell/token-field.ts'
import type { Visit } from '../shell/visit.ts'

export const leadsPath = '/leads'

export const leadStatusLabels: Readonly<Record<LeadStatus, string>> = {
  new: 'New',
  contacted: 'Contacted',
  qualified: 'Qualified',
  quoted: 'Quoted',
  won: 'Won',
  lost: 'Lost',
}

export function leadHref(visit: Visit, { id }: Pick<Lead, 'id'>): string {
  return visit.href(`${leadsPath}/${id}`)
}

// The form of a new quote, for the customer that the lead has become if there is one.
export function quoteHref(visit: Visit, { id, contactId }: Lead): string {
  return visit.href('/quotes/new', { leadId: id, contact: contactId ?? undefined })
}

// Undefined for people who can't add one. The form is filled in with what is known of the lead.
export function newContactHref(visit: Visit, lead: Lead): string | undefined {
  if (!visit.may(createContact)) return undefined
  const { id, name, company, email, phone } = lead
  return visit.href('/contacts/new', {
    leadId: id,
    name: company ?? name,
    email: email ?? undefined,
    phone: phone ?? undefined,
  })
}

type MoveProps = { visit: Visit; lead: Lead }

// To every other step, and to the two ends.
export function MoveMenu({ visit, lead }: MoveProps) {
  if (!isOpen(lead) || !visit.may(moveLead)) return null
  const base = leadHref(visit, lead)
  return (
    <details class="menu menu-acts">
      <summary class="btn">
        Move <span class="visually-hidden">{lead.name}</span> <Icon name="down" />
      </summary>
      <ul class="menu-list">
        {openLeadStatuses
          .filter((status) => status !== lead.status)
          .map((status) => (
            <li key={status}>
              <form method="post" action={`${base}/move`} class="inline-form">
                <input type="hidden" name={tokenField} value={visit.context.ids.uuid()} />
                <button class="menu-act" type="submit" name="status" value={status}>
                  To {leadStatusLabels[status].toLowerCase()}
                </button>
              </form>
            </li>
          ))}
        <li>
          <a href={`${base}/win`}>Mark as won</a>
        </li>
        <li>
          <a href={`${base}/lose`}>Mark as lost</a>
        </li>
      </ul>
    </details>
  )
}

export function mayChange(visit: Visit, lead: Lead): boolean {
  return isOpen(lead) && visit.may(editLead)
}
