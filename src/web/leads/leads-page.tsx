// The board of leads: a column for each step, and below it those that are won and lost.
import { createLead } from '../../books/leads/create-lead.ts'
import { type Lead, type LeadStatus, openLeadStatuses } from '../../books/leads/lead.ts'
import { listLeads } from '../../books/leads/list-leads.ts'
import { createQuote } from '../../books/quotes/create-quote.ts'
import { Moment } from '../components/moment.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EmptyState } from '../components/table.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { leadHref, leadStatusLabels, leadsPath, MoveMenu, quoteHref } from './lead-looks.tsx'

const openMax = 100
const closedMax = 10

type LeadColumn = { status: LeadStatus; leads: readonly Lead[]; hasMore: boolean }

export const leadsPages = definePage({
  path: leadsPath,
  operation: listLeads,
  async show(visit) {
    const [open, closed] = await Promise.all([
      readColumns(visit, openLeadStatuses, openMax),
      readColumns(visit, ['won', 'lost'], closedMax),
    ])
    const isEmpty = [...open, ...closed].every(({ leads }) => leads.length === 0)
    const newLead = visit.may(createLead) && (
      <a class="btn btn-primary" href={visit.href(`${leadsPath}/new`)}>
        New lead
      </a>
    )
    return {
      title: 'Leads',
      content: (
        <>
          <PageHeader
            title="Leads"
            lead="People who may become customers, from the first talk to the quote."
            actions={newLead}
          />
          {isEmpty ? (
            <EmptyState title="No leads yet">
              Add someone who asked what you offer. Move them on as you talk, and quote from here.
            </EmptyState>
          ) : (
            <div class="stack">
              <Columns visit={visit} columns={open} />
              <Columns visit={visit} columns={closed} />
            </div>
          )}
        </>
      ),
    }
  },
})

function readColumns(visit: Visit, statuses: readonly LeadStatus[], max: number) {
  return Promise.all(
    statuses.map(async (status): Promise<LeadColumn> => {
      const found = await visit.run(listLeads, { status, limit: max + 1 })
      return { status, leads: found.slice(0, max), hasMore: found.length > max }
    }),
  )
}

function Columns({ visit, columns }: { visit: Visit; columns: readonly LeadColumn[] }) {
  return (
    <div class="board">
      {columns.map(({ status, leads, hasMore }) => (
        <section key={status} class="board-column" aria-labelledby={`leads-${status}`}>
          <div class="board-head">
            <h2 id={`leads-${status}`}>
              {leadStatusLabels[status]}{' '}
              <span class="board-count">{hasMore ? `${leads.length}+` : leads.length}</span>
            </h2>
            {!hasMore && <Values leads={leads} />}
          </div>
          {leads.length === 0 ? (
            <p class="quiet mb-0">None.</p>
          ) : (
            <ul class="board-cards">
              {leads.map((lead) => (
                <LeadCard key={lead.id} visit={visit} lead={lead} />
              ))}
            </ul>
          )}
          {hasMore && <p class="quiet mb-0">The newest {leads.length}.</p>}
        </section>
      ))}
    </div>
  )
}

// What the leads of a column may bring, per currency.
function Values({ leads }: { leads: readonly Lead[] }) {
  const valued = leads.filter(({ valueMinor }) => valueMinor !== null)
  const sums = [...Map.groupBy(valued, ({ currency }) => currency)]
  if (sums.length === 0) return null
  return (
    <p class="board-sums">
      {sums.map(([currency, own]) => (
        <Money
          key={currency}
          minor={own.reduce((sum, { valueMinor }) => sum + (valueMinor ?? 0n), 0n)}
          currency={currency}
        />
      ))}
    </p>
  )
}

function LeadCard({ visit, lead }: { visit: Visit; lead: Lead }) {
  const { status, name, company, valueMinor, currency, lostReason, quoteId } = lead
  const isOpen = status !== 'won' && status !== 'lost'
  return (
    <li class="card board-card">
      <a class="board-name" href={leadHref(visit, lead)}>
        {name}
      </a>
      {company !== null && <span>{company}</span>}
      {lostReason !== null && <span class="quiet">{lostReason}</span>}
      <span class="board-facts">
        {valueMinor !== null && (
          <strong>
            <Money minor={valueMinor} currency={currency} />
          </strong>
        )}
        <span class="quiet">
          <Moment at={lead.updatedAt} zone={visit.zone} withTime={false} />
        </span>
      </span>
      {isOpen && (
        <span class="board-acts">
          <MoveMenu visit={visit} lead={lead} />
          {quoteId === null && visit.may(createQuote) && (
            <a href={quoteHref(visit, lead)}>
              Quote <span class="visually-hidden">to {name}</span>
            </a>
          )}
          {quoteId !== null && <a href={visit.href(`/quotes/${quoteId}`)}>Open quote</a>}
        </span>
      )}
    </li>
  )
}
