// What needs the person now: decisions, differences, endpoints that are off, verification.
import { listDocuments } from '../../books/documents/list-documents.ts'
import type { ReceivableTotals } from '../../books/reports/get-receivable-totals.ts'
import {
  getServiceTasks,
  type ServiceTasks,
  unassignedCountMax,
} from '../../books/service-money/get-service-tasks.ts'
import { getApprovalCount } from '../../merchant/approvals/get-approval-count.ts'
import { getAccount } from '../../merchant/business/get-account.ts'
import { type DisputeSums, getDisputeTotals } from '../../merchant/chargebacks/list-disputes.ts'
import { listDiscrepancies } from '../../merchant/discrepancies/list-discrepancies.ts'
import { listUnknownOutcomes } from '../../merchant/outcomes/list-unknown-outcomes.ts'
import { localDay } from '../../merchant/subscriptions/billing-period.ts'
import { formatDay } from '../components/day.tsx'
import { Icon } from '../components/icon.tsx'
import { formatCount } from '../components/locale.ts'
import type { WebhookService } from '../developers/webhook-service.ts'
import { webhooksPath } from '../developers/webhook-service.ts'
import { serviceMoneyPath } from '../service-money/service-money-text.ts'
import type { Query, Visit } from '../shell/visit.ts'

export type Need = { readonly text: string; readonly path: string; readonly query?: Query }

export async function readNeeds(
  visit: Visit,
  webhooks: readonly WebhookService[],
  receivables: Pick<ReceivableTotals, 'overdueInvoices'>,
): Promise<readonly Need[]> {
  const [approvals, disputes, discrepancies, unknown, account, drafts, tasks, offs] =
    await Promise.all([
      visit.run(getApprovalCount, {}),
      visit.run(getDisputeTotals, {}),
      visit.run(listDiscrepancies, {}),
      visit.run(listUnknownOutcomes, {}),
      visit.run(getAccount, {}),
      visit.run(listDocuments, { kind: 'invoice', status: 'draft', limit: 1 }),
      visit.run(getServiceTasks, {}),
      Promise.all(webhooks.map((service) => endpointNeeds(visit, service))),
    ])
  // A dispute is named by itself.
  const differences = discrepancies.filter(({ cause }) => cause !== 'chargeback').length
  return [
    ...some(approvals, 'request waits for approval', 'requests wait for approval', '/approvals'),
    ...disputeNeeds(visit, disputes.waiting),
    ...some(differences, 'open discrepancy', 'open discrepancies', '/discrepancies'),
    ...some(
      unknown.length,
      'refund or payout has no answer from the provider yet',
      'refunds or payouts have no answer from the provider yet',
      '/payouts',
    ),
    ...offs.flat(),
    ...some(
      receivables.overdueInvoices,
      'invoice is overdue',
      'invoices are overdue',
      '/invoices',
      'overdue',
    ),
    ...some(
      drafts.total,
      'invoice is a draft and not issued yet',
      'invoices are drafts and not issued yet',
      '/invoices',
      'draft',
    ),
    ...serviceMoneyNeeds(tasks),
    ...(account.kycStatus === 'verified'
      ? []
      : [{ text: verificationTexts[account.kycStatus], path: '/settings/business' }]),
  ]
}

function disputeNeeds(visit: Visit, { count, dueAt }: DisputeSums['waiting']): Need[] {
  const until = dueAt ? ` until ${formatDay(localDay(dueAt, visit.zone))}` : ''
  const one = `dispute needs an answer${until}`
  const many = `disputes need an answer${until && `, the first${until}`}`
  const query = { state: 'needs_answer' }
  return some(count, one, many, '/disputes').map((need) => ({ ...need, query }))
}

function serviceMoneyNeeds({ waitingCount, unassignedCount }: ServiceTasks): Need[] {
  const payments = some(
    unassignedCount,
    'payment is not assigned to an invoice',
    'payments are not assigned to an invoice',
    serviceMoneyPath,
    'unassigned',
  )
  const isMore = unassignedCount === unassignedCountMax
  return [
    ...some(
      waitingCount,
      'movement of the payment service could not be posted',
      'movements of the payment service could not be posted',
      serviceMoneyPath,
    ),
    ...payments.map((need) =>
      isMore ? { ...need, text: need.text.replace(' ', ' or more ') } : need,
    ),
  ]
}

const verificationTexts = {
  unverified: 'Your business is not verified yet. Live payments need it.',
  pending: 'Your verification is being decided.',
  rejected: 'Your verification was rejected. See the reason and try again.',
} as const

async function endpointNeeds(visit: Visit, service: WebhookService): Promise<Need[]> {
  const endpoints = await visit.run(service.operations.listEndpoints, {})
  const path = webhooksPath(service)
  const off = endpoints.filter(({ state }) => state === 'off').length
  const failing = endpoints.filter(
    ({ state, failuresInRow: failures }) => state === 'on' && failures > 0,
  )
  return [
    ...some(off, 'webhook endpoint is switched off', 'webhook endpoints are switched off', path),
    ...some(
      failing.length,
      'webhook endpoint did not accept its last event',
      'webhook endpoints did not accept their last event',
      path,
    ),
  ]
}

function some(count: number, one: string, many: string, path: string, view?: string): Need[] {
  const text = `${formatCount(count)} ${count === 1 ? one : many}`
  return count === 0 ? [] : [{ text, path, query: { view } }]
}

export function NeedList({ visit, needs }: { visit: Visit; needs: readonly Need[] }) {
  if (needs.length === 0) return null
  return (
    <section class="card needs">
      <div class="card-body">
        <h2 class="card-title">Needs your attention</h2>
        <ul class="need-list">
          {needs.map(({ text, path, query = {} }) => (
            <li key={text}>
              <a class="need-link" href={visit.href(path, query)}>
                <Icon name="alert" />
                <span>{text}</span>
              </a>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
