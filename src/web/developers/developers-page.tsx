// What developers need: keys, webhooks and the API reference.

import { Card } from '../../kernel/web/components.tsx'
import { getAccount } from '../../merchant/business/get-account.ts'
import { PageHeader } from '../components/page-header.tsx'
import { definePage } from '../shell/define-page.ts'

export const developersPages = definePage({
  path: '/developers',
  operation: getAccount,
  show: async (visit) => ({
    title: 'Developers',
    content: (
      <>
        <PageHeader title="Developers" />
        <div class="tiles">
          <Card title="API keys">
            <p>Let your own systems call the API.</p>
            <a class="btn" href={visit.href('/developers/keys')}>
              API keys
            </a>
          </Card>
          <Card title="Webhooks">
            <p>Hear of payments, payouts, invoices and bills as they happen.</p>
            <p class="actions">
              <a class="btn" href={visit.href('/developers/webhooks/merchant')}>
                Payments
              </a>
              <a class="btn" href={visit.href('/developers/webhooks/books')}>
                Books
              </a>
            </p>
          </Card>
          <Card title="Events">
            <p>What happened, with its JSON, and where it was sent.</p>
            <a class="btn" href={visit.href('/developers/events')}>
              Events
            </a>
          </Card>
          <Card title="API requests">
            <p>What your systems asked for in the last 30 days, and how it was answered.</p>
            <a class="btn" href={visit.href('/developers/requests')}>
              API requests
            </a>
          </Card>
          <Card title="API reference">
            <p>Every request, answer and event, with examples.</p>
            <p class="actions">
              <a class="btn" href="/reference/merchant">
                Payments
              </a>
              <a class="btn" href="/reference/books">
                Books
              </a>
            </p>
          </Card>
        </div>
      </>
    ),
  }),
})
