// Home: what needs attention, volumes, balances, cash, receivables, and what happened last. A new
// business sees its first steps.
import { getReceivableTotals } from '../../books/reports/get-receivable-totals.ts'
import type { AccessOperations } from '../../kernel/access/access-operations.ts'
import type { NamedAct } from '../../kernel/auth/name-actors.ts'
import { Card } from '../../kernel/web/components.tsx'
import { listBalances } from '../../merchant/balances/list-balances.ts'
import { getAccount } from '../../merchant/business/get-account.ts'
import { listPayments } from '../../merchant/payments/list-payments.ts'
import { getVolumes } from '../../merchant/volumes/get-volumes.ts'
import { BalanceTiles } from '../balances/balance-tiles.tsx'
import { actorText, actTitle } from '../components/act-text.ts'
import { PageHeader } from '../components/page-header.tsx'
import { Timeline } from '../components/timeline.tsx'
import type { WebhookService } from '../developers/webhook-service.ts'
import { PaymentTable } from '../payments/payment-table.tsx'
import { type AppRoute, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { CashCard } from './cash-card.tsx'
import { FirstSteps } from './first-steps.tsx'
import { NeedList, readNeeds } from './needs-attention.tsx'
import { ReceivablesCard } from './receivables-card.tsx'
import { VolumeSection } from './volume-section.tsx'

const latestMax = 8
const actsMax = 5

export function homePages(
  access: AccessOperations,
  webhooks: readonly WebhookService[],
): AppRoute[] {
  return definePage({
    path: '/',
    operation: getAccount,
    async show(visit) {
      const shown = await readHome(visit, access, webhooks)
      const { account, needs, balances, payments, volumes, receivables, acts } = shown
      const wanted = visit.query.get('currency')
      const { currencies, outcomes } = volumes
      const volume = currencies.find(({ currency }) => currency === wanted) ?? currencies[0]
      const codes = currencies.map(({ currency }) => currency)
      const isNew = payments.length === 0
      return {
        title: 'Home',
        content: (
          <>
            <PageHeader title={account.name} />
            <div class="stack">
              <NeedList visit={visit} needs={needs} />
              {isNew && <FirstSteps visit={visit} progress={shown.progress} />}
              {volume && <VolumeSection {...{ visit, volume, outcomes }} currencies={codes} />}
              <BalanceTiles visit={visit} balances={balances} />
              {!isNew && (
                <section>
                  <div class="section-head">
                    <h2>Latest payments</h2>
                    <a href={visit.href('/payments')}>All payments</a>
                  </div>
                  <PaymentTable visit={visit} payments={payments} />
                </section>
              )}
              <div class="tiles">
                {volume && <CashCard volume={volume} />}
                <ReceivablesCard totals={receivables} />
                <Activity visit={visit} acts={acts} />
              </div>
            </div>
          </>
        ),
      }
    },
  })
}

async function readHome(
  visit: Visit,
  { listApiKeys, listActs }: AccessOperations,
  webhooks: readonly WebhookService[],
) {
  const receivables = await visit.run(getReceivableTotals, {})
  const [account, needs, balances, { items: payments }, keys, volumes, { acts }] =
    await Promise.all([
      visit.run(getAccount, {}),
      readNeeds(visit, webhooks, receivables),
      visit.run(listBalances, {}),
      visit.run(listPayments, { limit: latestMax }),
      visit.run(listApiKeys, {}),
      visit.run(getVolumes, { timeZone: visit.zone }),
      visit.run(listActs, {}),
    ])
  const progress = {
    isVerified: account.kycStatus === 'verified',
    hasBankAccount: account.settlementDestinationOnFile,
    hasKeys: keys.length > 0,
  }
  return { account, needs, balances, payments, progress, volumes, receivables, acts }
}

// What people and keys did. What the system did is in the payments themselves.
function Activity({ visit, acts }: { visit: Visit; acts: readonly NamedAct[] }) {
  const latest = acts.filter(({ actorKind }) => actorKind !== 'system').slice(0, actsMax)
  if (latest.length === 0) return null
  return (
    <Card title="Latest activity">
      <Timeline
        zone={visit.zone}
        happenings={latest.map((act) => ({
          at: act.at,
          title: actTitle(act),
          detail: `By ${actorText(act)}`,
        }))}
      />
      <a href={visit.href('/settings/audit-log')}>Audit log</a>
    </Card>
  )
}
