// Home: what needs attention, balances, and the latest payments. A new business sees its first
// steps.
import type { AccessOperations } from '../../kernel/access/access-operations.ts'
import { listBalances } from '../../merchant/balances/list-balances.ts'
import { getAccount } from '../../merchant/business/get-account.ts'
import { listPayments } from '../../merchant/payments/list-payments.ts'
import { BalanceTiles } from '../balances/balance-tiles.tsx'
import { PageHeader } from '../components/page-header.tsx'
import type { WebhookService } from '../developers/webhook-service.ts'
import { PaymentTable } from '../payments/payment-table.tsx'
import { type AppRoute, definePage } from '../shell/define-page.ts'
import { FirstSteps } from './first-steps.tsx'
import { NeedList, readNeeds } from './needs-attention.tsx'

const latestMax = 8

export function homePages(
  { listApiKeys }: AccessOperations,
  webhooks: readonly WebhookService[],
): AppRoute[] {
  return definePage({
    path: '/',
    operation: getAccount,
    async show(visit) {
      const [account, needs, balances, { items: payments }, keys] = await Promise.all([
        visit.run(getAccount, {}),
        readNeeds(visit, webhooks),
        visit.run(listBalances, {}),
        visit.run(listPayments, { limit: latestMax }),
        visit.run(listApiKeys, {}),
      ])
      const progress = {
        isVerified: account.kycStatus === 'verified',
        hasBankAccount: account.settlementDestinationOnFile,
        hasKeys: keys.length > 0,
      }
      return {
        title: 'Home',
        content: (
          <>
            <PageHeader title={account.name} />
            <div class="stack">
              <NeedList visit={visit} needs={needs} />
              <BalanceTiles visit={visit} balances={balances} />
              {payments.length === 0 ? (
                <FirstSteps visit={visit} progress={progress} />
              ) : (
                <section>
                  <h2>Latest payments</h2>
                  <PaymentTable visit={visit} payments={payments} />
                </section>
              )}
            </div>
          </>
        ),
      }
    },
  })
}
