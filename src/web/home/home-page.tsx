// Home: what needs attention, balances, and the latest payments.
import { listBalances } from '../../merchant/balances/list-balances.ts'
import { getAccount } from '../../merchant/business/get-account.ts'
import { listPayments } from '../../merchant/payments/list-payments.ts'
import { BalanceTiles } from '../balances/balance-tiles.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EmptyState } from '../components/table.tsx'
import { PaymentTable } from '../payments/payment-table.tsx'
import { definePage } from '../shell/define-page.ts'

const latestMax = 8

export const homePages = definePage({
  path: '/',
  operation: getAccount,
  async show(visit) {
    const [account, balances, { items: payments }] = await Promise.all([
      visit.run(getAccount, {}),
      visit.run(listBalances, {}),
      visit.run(listPayments, { limit: latestMax }),
    ])
    return {
      title: 'Home',
      content: (
        <>
          <PageHeader title={account.name} />
          <div class="stack">
            {balances.length > 0 && (
              <section>
                <h2>Balances</h2>
                <BalanceTiles visit={visit} balances={balances} />
              </section>
            )}
            <section>
              <h2>Latest payments</h2>
              {payments.length > 0 ? (
                <PaymentTable visit={visit} payments={payments} />
              ) : (
                <EmptyState title="No payments yet">
                  Create a payment link, open it and pay with a test card to see your first payment.
                </EmptyState>
              )}
            </section>
          </div>
        </>
      ),
    }
  },
})
