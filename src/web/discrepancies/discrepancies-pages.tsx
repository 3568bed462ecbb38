// Differences with the payment provider: what does not agree, since when, and resolving one.
import { listDiscrepancies } from '../../merchant/discrepancies/list-discrepancies.ts'
import { resolveDiscrepancy } from '../../merchant/discrepancies/resolve-discrepancy.ts'
import { DraftText } from '../components/draft-fields.tsx'
import { FilterChips } from '../components/filter-chips.tsx'
import { formPage } from '../components/form-page.tsx'
import { Moment } from '../components/moment.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { EmptyState, Table } from '../components/table.tsx'
import { defineForm, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { unclearRefund } from './decide-refund-form.tsx'
import { causeText, DiscrepancyDetails, kindText } from './discrepancy-text.tsx'

const path = '/discrepancies'

type Discrepancy = Awaited<ReturnType<typeof listDiscrepancies.run>>[number]

const listPage = definePage({
  path,
  operation: listDiscrepancies,
  async show(visit) {
    const includesResolved = visit.query.get('show') === 'history'
    const discrepancies = await visit.run(listDiscrepancies, { includesResolved })
    return {
      title: 'Discrepancies',
      content: (
        <>
          <PageHeader
            title="Discrepancies"
            lead="Where the payment provider says something else than our records."
          />
          <FilterChips
            label="Discrepancies"
            chosen={includesResolved ? 'history' : undefined}
            choices={{ history: 'With resolved' }}
            allLabel="Open"
            hrefOf={(show) => visit.href(path, { show })}
          />
          {discrepancies.length === 0 ? (
            <EmptyState title="Everything agrees">
              We compare our records with the provider’s all the time. Differences appear here.
            </EmptyState>
          ) : (
            <DiscrepancyTable visit={visit} discrepancies={discrepancies} />
          )}
        </>
      ),
    }
  },
})

type TableProps = { visit: Visit; discrepancies: readonly Discrepancy[] }

function DiscrepancyTable({ visit, discrepancies }: TableProps) {
  return (
    <Table
      caption="Discrepancies"
      rows={discrepancies}
      keyOf={({ id }) => id}
      columns={[
        { label: 'Cause', cell: ({ cause }) => <strong>{causeText(cause)}</strong> },
        { label: 'About', cell: (discrepancy) => <About visit={visit} {...discrepancy} /> },
        {
          label: 'Details',
          cell: (one) => <DiscrepancyDetails visit={visit} detail={one.detail} />,
        },
        { label: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} zone={visit.zone} /> },
        {
          label: 'Status',
          cell: ({ id, cause, objectId, resolvedAt, resolution }) =>
            resolvedAt ? (
              <>
                <Status of="resolved" /> {resolution}
              </>
            ) : (
              visit.may(resolveDiscrepancy) && (
                <a
                  class="btn btn-sm text-nowrap"
                  href={visit.href(
                    cause === unclearRefund
                      ? `/refunds/${objectId}/decide`
                      : `${path}/${id}/resolve`,
                  )}
                >
                  {cause === unclearRefund ? 'Decide' : 'Resolve'}
                </a>
              )
            ),
        },
      ]}
    />
  )
}

function About({ visit, objectKind, objectId }: Discrepancy & { visit: Visit }) {
  if (objectKind === 'payment') return <a href={visit.href(`/payments/${objectId}`)}>Payment</a>
  if (objectKind === 'chargeback') return <a href={visit.href(`/disputes/${objectId}`)}>Dispute</a>
  if (objectKind === 'payout') return <a href={visit.href(`/payouts/${objectId}`)}>Payout</a>
  return <>{kindText(objectKind)}</>
}

const resolveForm = defineForm({
  path: `${path}/:id/resolve`,
  operation: resolveDiscrepancy,
  input: (visit, form) => ({
    id: visit.param('id'),
    reason: (form.get('reason') ?? '').trim(),
  }),
  async show(visit, draft) {
    const discrepancies = await visit.run(listDiscrepancies, {})
    const found = discrepancies.find(({ id }) => id === visit.param('id'))
    return formPage({
      title: 'Resolve discrepancy',
      back: { href: visit.href(path), text: 'Discrepancies' },
      draft,
      submit: 'Resolve',
      children: (
        <>
          {found && (
            <>
              <h2>{causeText(found.cause)}</h2>
              <DiscrepancyDetails visit={visit} detail={found.detail} />
            </>
          )}
          <p>This records what you found. Nothing is booked and no money moves.</p>
          <DraftText
            draft={draft}
            name="reason"
            label="What you found"
            hint="For example what the provider or the payer said. Your team can read it later."
          />
        </>
      ),
    })
  },
  done: (visit) => ({ location: visit.href(path), message: 'The discrepancy is resolved.' }),
})

export const discrepanciesPages = [...listPage, ...resolveForm]
