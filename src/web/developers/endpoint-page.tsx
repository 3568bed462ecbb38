// One webhook endpoint and what was sent to it.
import { Alert, Card } from '../../kernel/web/components.tsx'
import type { LoggedAttempt } from '../../kernel/webhooks/delivery.ts'
import type { Endpoint } from '../../kernel/webhooks/endpoint.ts'
import { ActionButton } from '../components/app-form.tsx'
import { Facts } from '../components/facts.tsx'
import { Moment } from '../components/moment.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { EmptyState, Table } from '../components/table.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { answerText, deliveryStatus } from './delivery-text.ts'
import { endpointStatus, type WebhookService, webhooksPath } from './webhook-service.ts'

export const endpointPage = (service: WebhookService) =>
  definePage({
    path: `${webhooksPath(service)}/:id`,
    operation: service.operations.getEndpoint,
    async show(visit) {
      const { getEndpoint, listDeliveries } = service.operations
      const id = visit.param('id')
      const endpoint = await visit.run(getEndpoint, { id })
      const attempts = await visit.run(listDeliveries, { id })
      return {
        title: endpoint.url,
        content: (
          <>
            <PageHeader
              back={{ href: visit.href(webhooksPath(service)), text: 'Webhooks' }}
              title={
                <>
                  {endpoint.url} <Status of={endpointStatus(endpoint.state)} />
                </>
              }
              actions={<EndpointActions {...{ visit, service, endpoint }} />}
            />
            <div class="stack">
              {endpoint.state === 'off' && (
                <Alert tone="bad">
                  Switched off after too many failures in a row. Deliveries are on hold until you
                  switch it on.
                </Alert>
              )}
              <Card title="Details">
                <Facts
                  facts={[
                    ['Events', endpoint.eventTypes?.join(', ') ?? 'All'],
                    ['Created', <Moment at={endpoint.createdAt} zone={visit.zone} />],
                    endpoint.oldSecretUntil !== null && [
                      'The old secret signs until',
                      <Moment at={endpoint.oldSecretUntil} zone={visit.zone} />,
                    ],
                  ]}
                />
              </Card>
              <Deliveries {...{ visit, service, id, attempts }} />
            </div>
          </>
        ),
      }
    },
  })

type DeliveriesProps = {
  visit: Visit
  service: WebhookService
  id: string
  attempts: readonly LoggedAttempt[]
}

// The newest attempts, as the deliveries that they belong to.
function Deliveries({ visit, service, id, attempts }: DeliveriesProps) {
  const deliveries = [...Map.groupBy(attempts, ({ deliveryId }) => deliveryId).values()].flatMap(
    ([newest, ...earlier]) => (newest ? [{ newest, count: earlier.length + 1 }] : []),
  )
  return (
    <section>
      <h2>Deliveries</h2>
      {deliveries.length === 0 ? (
        <EmptyState title="Nothing was sent yet">
          Deliveries appear here as soon as something happens.
        </EmptyState>
      ) : (
        <Table
          caption="Deliveries"
          rows={deliveries}
          keyOf={({ newest }) => newest.deliveryId}
          hrefOf={({ newest }) =>
            visit.href(`${webhooksPath(service)}/${id}/deliveries/${newest.deliveryId}`)
          }
          columns={[
            { label: 'Event', cell: ({ newest }) => <code>{newest.eventType}</code> },
            { label: 'Status', cell: ({ newest }) => <Status of={deliveryStatus(newest)} /> },
            { label: 'Answer', cell: ({ newest }) => answerText(newest) },
            { label: 'Attempts', isNumber: true, cell: ({ count }) => count },
            {
              label: 'Last try',
              cell: ({ newest }) => <Moment at={newest.attemptedAt} zone={visit.zone} />,
            },
            {
              label: 'Next try',
              cell: ({ newest }) =>
                newest.nextRetryAt ? <Moment at={newest.nextRetryAt} zone={visit.zone} /> : '',
            },
          ]}
        />
      )}
    </section>
  )
}

type EndpointProps = { visit: Visit; service: WebhookService; endpoint: Endpoint }

function EndpointActions({ visit, service, endpoint }: EndpointProps) {
  if (endpoint.state === 'deleted' || !visit.may(service.operations.deleteEndpoint)) return null
  const address = (verb: string) => visit.href(`${webhooksPath(service)}/${endpoint.id}/${verb}`)
  const token = visit.context.ids.uuid()
  return (
    <>
      {endpoint.state === 'off' && (
        <ActionButton action={address('switch-on')} token={token} label="Switch on" />
      )}
      {endpoint.state === 'on' && (
        <ActionButton action={address('test')} token={token} label="Send test event" />
      )}
      <a class="btn" href={address('edit')}>
        Change
      </a>
      <a class="btn" href={address('replay')}>
        Replay
      </a>
      <ActionButton
        action={address('redrive')}
        token={visit.context.ids.uuid()}
        label="Send dead letters"
      />
      {endpoint.oldSecretUntil && (
        <ActionButton
          action={address('promote')}
          token={visit.context.ids.uuid()}
          label="End the old secret"
        />
      )}
      <a class="btn" href={address('rotate')}>
        Rotate secret
      </a>
      <a class="btn" href={address('delete')}>
        Delete
      </a>
    </>
  )
}
