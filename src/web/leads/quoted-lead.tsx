// What the form of a new quote says about the lead that it is for.
import type { Lead } from '../../books/leads/lead.ts'
import { Alert } from '../../kernel/web/components.tsx'
import type { Visit } from '../shell/visit.ts'
import { leadHref, newContactHref } from './lead-looks.tsx'

export function QuotedLead({ visit, lead }: { visit: Visit; lead: Lead }) {
  const contactHref = lead.contactId === null ? newContactHref(visit, lead) : undefined
  const isChosen = visit.query.has('contact')
  return (
    <div class="mb-3">
      <Alert tone="plain">
        For the lead <a href={leadHref(visit, lead)}>{lead.name}</a>, which moves to Quoted once the
        quote is sent.
        {contactHref && !isChosen && (
          <>
            {' '}
            Choose the customer, or <a href={contactHref}>add the lead to your contacts</a> first.
          </>
        )}
      </Alert>
    </div>
  )
}
