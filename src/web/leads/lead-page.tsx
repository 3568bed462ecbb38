// One lead: what is known about it, and where it can go from here.
import { getContact } from '../../books/contacts/get-contact.ts'
import { getLead } from '../../books/leads/get-lead.ts'
import { isOpen } from '../../books/leads/lead.ts'
import { winLead } from '../../books/leads/win-lead.ts'
import { createQuote } from '../../books/quotes/create-quote.ts'
import { Badge, Card, type Tone } from '../../kernel/web/components.tsx'
import { Facts } from '../components/facts.tsx'
import { Moment } from '../components/moment.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { definePage } from '../shell/define-page.ts'
import {
  leadHref,
  leadStatusLabels,
  leadsPath,
  MoveMenu,
  mayChange,
  quoteHref,
} from './lead-looks.tsx'

export const leadPages = definePage({
  path: `${leadsPath}/:id`,
  operation: getLead,
  async show(visit) {
    const lead = await visit.run(getLead, { id: visit.param('id') })
    const { status, company, email, phone, notes, valueMinor, quoteId, contactId } = lead
    const contact = contactId === null ? null : await visit.run(getContact, { id: contactId })
    const tone: Tone = status === 'won' ? 'good' : 'plain'
    return {
      title: lead.name,
      content: (
        <>
          <PageHeader
            back={{ href: visit.href(leadsPath), text: 'Leads' }}
            title={
              <>
                {lead.name} <Badge tone={tone}>{leadStatusLabels[status]}</Badge>
              </>
            }
            actions={
              <>
                {mayChange(visit, lead) && (
                  <a class="btn" href={`${leadHref(visit, lead)}/edit`}>
                    Change
                  </a>
                )}
                <MoveMenu visit={visit} lead={lead} />
                {isOpen(lead) && quoteId !== null && visit.may(winLead) && (
                  <a class="btn btn-primary" href={`${leadHref(visit, lead)}/win`}>
                    Mark as won
                  </a>
                )}
                {isOpen(lead) && quoteId === null && visit.may(createQuote) && (
                  <a class="btn btn-primary" href={quoteHref(visit, lead)}>
                    New quote
                  </a>
                )}
              </>
            }
          />
          <Card title="Details">
            <Facts
              facts={[
                company !== null && ['Company', company],
                email !== null && ['E-mail', <a href={`mailto:${email}`}>{email}</a>],
                phone !== null && ['Phone', phone],
                valueMinor !== null && [
                  'Possible value',
                  <Money minor={valueMinor} currency={lead.currency} />,
                ],
                contact !== null && [
                  'Contact',
                  <a href={visit.href(`/contacts/${contact.id}`)}>{contact.name}</a>,
                ],
                quoteId !== null && [
                  'Quote',
                  <a href={visit.href(`/quotes/${quoteId}`)}>Open the quote</a>,
                ],
                lead.lostReason !== null && ['Lost because', lead.lostReason],
                ['Added', <Moment at={lead.createdAt} zone={visit.zone} />],
                ['Last change', <Moment at={lead.updatedAt} zone={visit.zone} />],
                notes !== null && notes !== '' && ['Notes', <span class="lines">{notes}</span>],
              ]}
            />
          </Card>
        </>
      ),
    }
  },
})
