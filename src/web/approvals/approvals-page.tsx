// One inbox for everything that waits for a second person, and the history of what was decided.
import {
  type Approval,
  approvalOperations,
  approvalStates,
} from '../../merchant/approvals/approval.ts'
import { listApprovals } from '../../merchant/approvals/list-approvals.ts'
import { FilterChips } from '../components/filter-chips.tsx'
import { Moment } from '../components/moment.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { EmptyState, Table } from '../components/table.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { approvalTitle, kindLabels } from './approval-text.ts'

const stateLabels = {
  approved: 'Approved',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
  void: 'Void',
  history: 'All with history',
} as const

export const approvalsPages = definePage({
  path: '/approvals',
  operation: listApprovals,
  async show(visit) {
    const { show, state, operation } = readFilter(visit)
    const approvals = await visit.run(listApprovals, {
      includesDecided: show === 'history',
      state,
      operation,
    })
    return {
      title: 'Approvals',
      content: (
        <>
          <PageHeader
            title="Approvals"
            lead="Refunds and payouts above a limit, thresholds, bank accounts and roles wait here for a second person."
          />
          <FilterChips
            label="Status"
            chosen={show}
            choices={stateLabels}
            allLabel="Waiting"
            hrefOf={(one) => visit.href('/approvals', { show: one, kind: operation })}
          />
          <FilterChips
            label="Kind"
            chosen={operation}
            choices={kindLabels}
            allLabel="All kinds"
            hrefOf={(kind) => visit.href('/approvals', { show, kind })}
          />
          {approvals.length === 0 ? (
            <Nothing isFiltered={show !== undefined || operation !== undefined} />
          ) : (
            <Table
              caption="Approvals"
              rows={approvals}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => visit.href(`/approvals/${id}`)}
              columns={[
                { label: 'Request', cell: approvalTitle },
                { label: 'Status', cell: ({ state: of }) => <Status of={of} /> },
                {
                  label: 'Requested by',
                  cell: ({ requesterName }) => requesterName ?? 'A person who has left',
                },
                {
                  label: 'Requested',
                  cell: ({ createdAt }) => <Moment at={createdAt} zone={visit.zone} />,
                },
                {
                  label: 'Decided by',
                  cell: ({ deciderName, decidedAt }) =>
                    decidedAt === null ? '–' : (deciderName ?? 'A person who has left'),
                },
              ]}
            />
          )}
        </>
      ),
    }
  },
})

function readFilter({ query }: Visit) {
  const show = Object.keys(stateLabels).find((one) => one === query.get('show')) as
    | keyof typeof stateLabels
    | undefined
  const state: Approval['state'] | undefined = approvalStates.find((one) => one === show)
  const operation = approvalOperations.find((one) => one === query.get('kind'))
  return { show, state, operation }
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState title="Nothing found">No approval matches these filters.</EmptyState>
  ) : (
    <EmptyState title="Nothing waits for approval">
      A refund or payout above your threshold appears here until a second person decides.
    </EmptyState>
  )
}
