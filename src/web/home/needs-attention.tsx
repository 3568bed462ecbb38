// What needs the person now: decisions, differences, endpoints that are off, verification.
import { Card } from '../../kernel/web/components.tsx'
import { getApprovalCount } from '../../merchant/approvals/get-approval-count.ts'
import { getAccount } from '../../merchant/business/get-account.ts'
import { listDiscrepancies } from '../../merchant/discrepancies/list-discrepancies.ts'
import { listUnknownOutcomes } from '../../merchant/outcomes/list-unknown-outcomes.ts'
import type { WebhookService } from '../developers/webhook-service.ts'
import { webhooksPath } from '../developers/webhook-service.ts'
import type { Visit } from '../shell/visit.ts'

export type Need = { readonly text: string; readonly path: string }

export async function readNeeds(
  visit: Visit,
  webhooks: readonly WebhookService[],
): Promise<readonly Need[]> {
  const [approvals, discrepancies, unknown, account, offs] = await Promise.all([
    visit.run(getApprovalCount, {}),
    visit.run(listDiscrepancies, {}),
    visit.run(listUnknownOutcomes, {}),
    visit.run(getAccount, {}),
    Promise.all(webhooks.map((service) => endpointsOff(visit, service))),
  ])
  return [
    ...some(approvals, 'request waits for approval', 'requests wait for approval', '/approvals'),
    ...some(discrepancies.length, 'open discrepancy', 'open discrepancies', '/discrepancies'),
    ...some(
      unknown.length,
      'refund or payout has no answer from the provider yet',
      'refunds or payouts have no answer from the provider yet',
      '/payouts',
    ),
    ...offs.flat(),
    ...(account.kycStatus === 'verified'
      ? []
      : [{ text: verificationTexts[account.kycStatus], path: '/settings' }]),
  ]
}

const verificationTexts = {
  unverified: 'Your business is not verified yet. Live payments need it.',
  pending: 'Your verification is being decided.',
  rejected: 'Your verification was rejected. See the reason and try again.',
} as const

async function endpointsOff(visit: Visit, service: WebhookService): Promise<Need[]> {
  const endpoints = await visit.run(service.operations.listEndpoints, {})
  const count = endpoints.filter(({ state }) => state === 'off').length
  return some(
    count,
    'webhook endpoint is switched off',
    'webhook endpoints are switched off',
    webhooksPath(service),
  )
}

function some(count: number, one: string, many: string, path: string): Need[] {
  return count === 0 ? [] : [{ text: `${count} ${count === 1 ? one : many}`, path }]
}

export function NeedList({ visit, needs }: { visit: Visit; needs: readonly Need[] }) {
  if (needs.length === 0) return null
  return (
    <Card title="Needs your attention">
      <ul class="need-list">
        {needs.map(({ text, path }) => (
          <li key={text}>
            <a href={visit.href(path)}>{text}</a>
          </li>
        ))}
      </ul>
    </Card>
  )
}
