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
              <Attempts {...{ visit, service, id, attempts }} />
            </div>
          </>
        ),
      }
    },
  })

type AttemptsProps = {
  visit: Visit
  service: WebhookService
  id: string
  attempts: readonly LoggedAttempt[]
}

function Attempts({ visit, service, id, attempts }: AttemptsProps) {
  return (
    <section>
      <h2>Deliveries</h2>
      {attempts.length === 0 ? (
        <EmptyState title="Nothing was sent yet">
          Deliveries appear here as soon as something happens.
        </EmptyState>
      ) : (
        <Table
          caption="Attempts to deliver"
          rows={attempts}
          keyOf={({ deliveryId, attemptNumber }) => `${deliveryId}-${attemptNumber}`}
          columns={[
            { label: 'Event', cell: ({ eventType }) => <code>{eventType}</code> },
            {
              label: 'Answer',
              cell: ({ succeeded, statusCode, error }) =>
                `${succeeded ? 'Delivered' : 'Failed'} (${statusCode ?? error ?? 'no answer'})`,
            },
            { label: 'Attempt', cell: ({ attemptNumber }) => attemptNumber },
            {
              label: 'When',
              cell: ({ attemptedAt }) => <Moment at={attemptedAt} zone={visit.zone} />,
            },
            {
              label: 'Actions',
              cell: ({ deliveryId, succeeded }) =>
                !succeeded &&
                visit.may(service.operations.retryDelivery) && (
                  <ActionButton
                    action={visit.href(
                      `${webhooksPath(service)}/${id}/deliveries/${deliveryId}/retry`,
                    )}
                    token={visit.context.ids.uuid()}
                    label="Send again"
                  />
                ),
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
      {endpoint.state === 'on' && service.profile.testEventType !== null && (
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
