// "Why this number?": the entries behind one part of a balance, each with its payment or payout.
import { notFound } from '../../kernel/basics/fault.ts'
import { isCurrency } from '../../kernel/money/currency.ts'
import { type BalancePart, balanceParts } from '../../merchant/balances/balance.ts'
import { listBalanceEntries } from '../../merchant/balances/list-balance-entries.ts'
import { listBalances } from '../../merchant/balances/list-balances.ts'
import { Moment } from '../components/moment.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { EmptyState, Table } from '../components/table.tsx'
import { definePage } from '../shell/define-page.ts'

const titles: Readonly<Record<BalancePart, string>> = {
  pending: 'Pending: collected, not settled by the provider yet',
  available: 'Available: settled, less what is reserved for payouts',
  reserved: 'Reserved for payouts that have not ended',
  wallet: 'Wallet: put aside inside Tillbook',
}

export const balancePages = definePage({
  path: '/balances/:currency/:part',
  operation: listBalanceEntries,
  async show(visit) {
    const currency = visit.param('currency')
    const part = balanceParts.find((one) => one === visit.param('part'))
    if (!part || !isCurrency(currency)) throw notFound('balance')
    const [balances, { lines, payouts }] = await Promise.all([
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
            {payouts.length > 0 && (
              <section>
                <h2>Reserved by payouts</h2>
                <Table
                  caption="Payouts that reserve money"
                  rows={payouts}
                  keyOf={({ id }) => id}
                  columns={[
                    { label: 'Status', cell: ({ status }) => <Status of={status} /> },
                    {
                      label: 'Asked',
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
            {lines.length > 0 && (
              <section>
                <h2>Newest entries</h2>
                <Table
                  caption="Ledger entries"
                  rows={lines}
                  keyOf={({ entryId, position }) => `${entryId}-${position}`}
                  columns={[
                    { label: 'Entry', cell: ({ kind }) => entryNames[kind] ?? kind },
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
            {lines.length === 0 && payouts.length === 0 && (
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

const entryNames: Readonly<Record<string, string>> = {
  'refund.accepted': 'Refund',
  'refund.reversed': 'Refund reversed',
}
