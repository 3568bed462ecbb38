// Payouts: what can be paid out, where it goes, and what was paid out.
import { listApprovals } from '../../merchant/approvals/list-approvals.ts'
import { listBalances } from '../../merchant/balances/list-balances.ts'
import { listSettlementAccounts } from '../../merchant/business/list-settlement-accounts.ts'
import { cancelPayout } from '../../merchant/payouts/cancel-payout.ts'
import { createPayout } from '../../merchant/payouts/create-payout.ts'
import { listPayouts } from '../../merchant/payouts/list-payouts.ts'
import type { Payout } from '../../merchant/payouts/payout.ts'
import { BalanceTiles } from '../balances/balance-tiles.tsx'
import { Moment } from '../components/moment.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { EmptyState, Table } from '../components/table.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { BankAccounts } from './bank-accounts.tsx'
import { payoutDestination } from './payout-destination.ts'

export const payoutsPages = definePage({
  path: '/payouts',
  operation: listPayouts,
  async show(visit) {
    const [payouts, balances, accounts, approvals] = await Promise.all([
      visit.run(listPayouts, {}),
      visit.run(listBalances, {}),
      visit.run(listSettlementAccounts, {}),
      visit.run(listApprovals, {}),
    ])
    const isLive = visit.actor.environment === 'live'
    return {
      title: 'Payouts',
      content: (
        <>
          <PageHeader
            title="Payouts"
            lead={isLive ? undefined : 'The sandbox has no payouts: no money moves there.'}
            actions={
              isLive &&
              visit.may(createPayout) && (
                <a class="btn btn-primary" href={visit.href('/payouts/new')}>
                  New payout
                </a>
              )
            }
          />
          <div class="stack">
            <BalanceTiles visit={visit} balances={balances} />
            {isLive && (
              <BankAccounts
                visit={visit}
                accounts={accounts}
                changes={approvals.filter(({ operation }) => operation === 'settlement_account')}
              />
            )}
            {payouts.length === 0 ? (
              <EmptyState title="No payouts yet">
                Take settled money out to your bank account or put it aside in your wallet.
              </EmptyState>
            ) : (
              <PayoutTable visit={visit} payouts={payouts} />
            )}
          </div>
        </>
      ),
    }
  },
})

function PayoutTable({ visit, payouts }: { visit: Visit; payouts: readonly Payout[] }) {
  return (
    <Table
      caption="Payouts"
      rows={payouts}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => visit.href(`/payouts/${id}`)}
      columns={[
        {
          label: 'Amount',
          cell: ({ amountMinor, currency }) => <Money minor={amountMinor} currency={currency} />,
        },
        {
          label: 'Status',
          cell: ({ status, failureReason }) => (
            <span>
              <Status of={status} />
              {status === 'failed' && failureReason !== null && (
                <span class="cell-note">{failureReason}</span>
              )}
            </span>
          ),
        },
        { label: 'To', cell: payoutDestination },
        {
          label: 'Requested',
          cell: ({ createdAt }) => <Moment at={createdAt} zone={visit.zone} />,
        },
        {
          label: 'Actions',
          isShown: payouts.some(({ status }) => status === 'pending'),
          cell: ({ id, status, approvalId }) =>
            status === 'pending' && (
              <span class="item-actions">
                {approvalId && (
                  <a href={visit.href(`/approvals/${approvalId}`)}>Waits for approval</a>
                )}
                {visit.may(cancelPayout) && (
                  <a href={visit.href(`/payouts/${id}/cancel`)}>Cancel</a>
                )}
              </span>
            ),
        },
      ]}
    />
  )
}
