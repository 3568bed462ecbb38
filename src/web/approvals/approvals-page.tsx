// One inbox for everything that waits for a second person.
import { listApprovals } from '../../merchant/approvals/list-approvals.ts'
import { FilterChips } from '../components/filter-chips.tsx'
import { Moment } from '../components/moment.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { EmptyState, Table } from '../components/table.tsx'
import { definePage } from '../shell/define-page.ts'
import { approvalTitle } from './approval-text.ts'

export const approvalsPages = definePage({
  path: '/approvals',
  operation: listApprovals,
  async show(visit) {
    const includesDecided = visit.query.get('show') === 'history'
    const approvals = await visit.run(listApprovals, { includesDecided })
    return {
      title: 'Approvals',
      content: (
        <>
          <PageHeader
            title="Approvals"
            lead="Refunds, payouts and thresholds above a limit wait here for a second person."
          />
          <FilterChips
            label="Approvals"
            chosen={includesDecided ? 'history' : undefined}
            choices={{ history: 'With history' }}
            allLabel="Waiting"
            hrefOf={(show) => visit.href('/approvals', { show })}
          />
          {approvals.length === 0 ? (
            <EmptyState title="Nothing waits for approval">
              A refund or payout above your threshold appears here until a second person decides.
            </EmptyState>
          ) : (
            <Table
              caption="Approvals"
              rows={approvals}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => visit.href(`/approvals/${id}`)}
              columns={[
                { label: 'Request', cell: approvalTitle },
                { label: 'Status', cell: ({ state }) => <Status of={state} /> },
                {
                  label: 'Asked by',
                  cell: ({ requesterName }) => requesterName ?? 'A person who has left',
                },
                {
                  label: 'Asked',
                  cell: ({ createdAt }) => <Moment at={createdAt} zone={visit.zone} />,
                },
              ]}
            />
          )}
        </>
      ),
    }
  },
})
