// "Why this number?": the entries behind one part of a balance, each with its payment or payout.
import { notFound } from '../../kernel/basics/fault.ts'
import { isCurrency } from '../../kernel/money/currency.ts'
import { type BalancePart, balanceParts } from '../../merchant/balances/balance.ts'
import {
  type BalanceEntries,
  listBalanceEntries,
} from '../../merchant/balances/list-balance-entries.ts'
import { listBalances } from '../../merchant/balances/list-balances.ts'
import { entryTitle } from '../components/ledger-lines.tsx'
import { Moment } from '../components/moment.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { EmptyState, Table } from '../components/table.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

const titles: Readonly<Record<BalancePart, string>> = {
  pending: 'Pending: collected, not settled by the provider yet',
  available: 'Available: settled, less what is reserved for payouts and refunds',
  reserved: 'Reserved for payouts and refunds that have not ended',
  wallet: 'Wallet: put aside inside Tillbook',
}

export const balancePages = definePage({
  path: '/balances/:currency/:part',
  operation: listBalanceEntries,
  async show(visit) {
    const currency = visit.param('currency')
    const part = balanceParts.find((one) => one === visit.param('part'))
    if (!part || !isCurrency(currency)) throw notFound('balance')
    const [balances, { lines, payouts, refunds }] = await Promise.all([
      visit.run(listBalances, {}),
      visit.run(listBalanceEntries, { part, currency }),
    ])
    const balance = balances.find((one) => one.currency === currency)
    const minor = balance?.[`${part}Minor`] ?? 0n
    return {
      title: `Balance in ${currency}`,
      content: (
        <>
          <PageHeader
            back={{ href: visit.href('/payouts'), text: 'Payouts' }}
            title={<Money minor={minor} currency={currency} />}
            lead={titles[part]}
          />
          <div class="stack">
            <Reservations visit={visit} currency={currency} payouts={payouts} refunds={refunds} />
            {lines.length > 0 && (
              <section>
                <h2>Newest entries</h2>
                <Table
                  caption="Ledger entries"
                  rows={lines}
                  keyOf={({ entryId, position }) => `${entryId}-${position}`}
                  columns={[
                    { label: 'Entry', cell: ({ kind }) => entryTitle(kind) },
                    {
                      label: 'Booked',
                      cell: ({ createdAt }) => <Moment at={createdAt} zone={visit.zone} />,
                    },
                    {
                      label: 'Amount',
                      isNumber: true,
                      cell: ({ amountMinor }) => <Money minor={amountMinor} currency={currency} />,
                    },
                  ]}
                />
              </section>
            )}
            {lines.length + payouts.length + refunds.length === 0 && (
              <EmptyState title="Nothing was booked here yet">
                Entries appear when payments succeed, settle or are paid out.
              </EmptyState>
            )}
          </div>
        </>
      ),
    }
  },
})

type ReservationsProps = Pick<BalanceEntries, 'payouts' | 'refunds'> & {
  visit: Visit
  currency: string
}

function Reservations({ visit, currency, payouts, refunds }: ReservationsProps) {
  const asked = {
    label: 'Requested',
    cell: ({ createdAt }: { createdAt: Date }) => <Moment at={createdAt} zone={visit.zone} />,
  }
  const amount = {
    label: 'Amount',
    isNumber: true,
    cell: ({ amountMinor }: { amountMinor: bigint }) => (
      <Money minor={amountMinor} currency={currency} />
    ),
  }
  return (
    <>
      {payouts.length > 0 && (
        <section>
          <h2>Reserved by payouts</h2>
          <Table
            caption="Payouts that reserve money"
            rows={payouts}
            keyOf={({ id }) => id}
            columns={[
              { label: 'Status', cell: ({ status }) => <Status of={status} /> },
              asked,
              amount,
            ]}
          />
        </section>
      )}
      {refunds.length > 0 && (
        <section>
          <h2>Reserved by refunds</h2>
          <Table
            caption="Refunds on their way"
            rows={refunds}
            keyOf={({ id }) => id}
            columns={[
              {
                label: 'Payment',
                cell: ({ paymentId }) => (
                  <a href={visit.href(`/payments/${paymentId}`)}>{paymentId}</a>
                ),
              },
              asked,
              amount,
            ]}
          />
        </section>
      )}
    </>
  )
}
