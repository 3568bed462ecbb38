// One delivery: the event, what was sent in each attempt, and what was answered.
import { Card, CodeBlock } from '../../kernel/web/components.tsx'
import type { Exchange, LoggedExchange } from '../../kernel/webhooks/delivery.ts'
import { ActionButton } from '../components/app-form.tsx'
import { Facts } from '../components/facts.tsx'
import { Moment } from '../components/moment.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { EmptyState } from '../components/table.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { answerText, deliveryStatus } from './delivery-text.ts'
import { prettyJson } from './pretty-json.ts'
import { type WebhookService, webhooksPath } from './webhook-service.ts'

export const deliveryPage = (service: WebhookService) =>
  definePage({
    path: `${webhooksPath(service)}/:id/deliveries/:delivery`,
    operation: service.operations.getDelivery,
    async show(visit) {
      const { getDelivery, retryDelivery } = service.operations
      const delivery = await visit.run(getDelivery, { id: visit.param('delivery') })
      const { endpoint, attempts } = delivery
      const [newest] = attempts
      const page = visit.href(`${webhooksPath(service)}/${endpoint.id}`)
      return {
        title: delivery.eventType,
        content: (
          <>
            <PageHeader
              back={{ href: page, text: 'Endpoint' }}
              title={
                <>
                  {delivery.eventType} <Status of={deliveryStatus(newest)} />
                </>
              }
              actions={
                endpoint.state === 'on' &&
                visit.may(retryDelivery) && (
                  <ActionButton
                    action={`${page}/deliveries/${delivery.id}/retry`}
                    token={visit.context.ids.uuid()}
                    label="Send again"
                  />
                )
              }
            />
            <div class="stack">
              <Card title="Details">
                <Facts
                  facts={[
                    ['Sent to', <code class="break">{endpoint.url}</code>],
                    [
                      'Event',
                      <a class="break" href={visit.href(`/developers/events/${delivery.eventId}`)}>
                        {delivery.eventId}
                      </a>,
                    ],
                    ['Delivery', <code class="break">{delivery.id}</code>],
                    ['Queued', <Moment at={delivery.createdAt} zone={visit.zone} />],
                    newest?.nextRetryAt
                      ? ['Next try', <Moment at={newest.nextRetryAt} zone={visit.zone} />]
                      : false,
                  ]}
                />
                {newest?.exchange && (
                  <CodeBlock id="payload" label="Payload" text={prettyJson(newest.exchange.body)} />
                )}
              </Card>
              <Attempts visit={visit} attempts={attempts} />
            </div>
          </>
        ),
      }
    },
  })

function Attempts({ visit, attempts }: { visit: Visit; attempts: readonly LoggedExchange[] }) {
  if (attempts.length === 0) {
    return <EmptyState title="Nothing was sent yet">The first attempt is due now.</EmptyState>
  }
  return (
    <section>
      <h2>Attempts</h2>
      {attempts.every(({ exchange }) => exchange === null) && (
        <p class="quiet">Owners and admins see what was sent and what was answered.</p>
      )}
      {attempts.map((attempt, index) => (
        <details class="card mb-3" key={attempt.attemptNumber} open={index === 0}>
          <summary class="card-body attempt-head">
            <Status of={attempt.succeeded ? 'delivered' : 'failed'} />
            <strong>{answerText(attempt)}</strong>
            <span>
              Attempt {attempt.attemptNumber}
              {attempt.isManual && ', requested'}
            </span>
            <span class="quiet">{attempt.durationMs} ms</span>
            <span class="quiet">
              <Moment at={attempt.attemptedAt} zone={visit.zone} />
            </span>
          </summary>
          {attempt.exchange && (
            <div class="card-body pt-0">
              <Exchanged attempt={attempt} exchange={attempt.exchange} />
            </div>
          )}
        </details>
      ))}
    </section>
  )
}

function Exchanged({ attempt, exchange }: { attempt: LoggedExchange; exchange: Exchange }) {
  const { attemptNumber, statusCode } = attempt
  const headers = Object.entries(exchange.headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
  return (
    <>
      <CodeBlock
        id={`headers-${attemptNumber}`}
        label="Request headers"
        text={`POST\n${headers}`}
      />
      {exchange.responseText ? (
        <CodeBlock
          id={`response-${attemptNumber}`}
          label={`Response ${statusCode ?? ''}`}
          text={exchange.responseText}
        />
      ) : (
        <p class="quiet">{missingResponse(statusCode, exchange)}</p>
      )}
    </>
  )
}

function missingResponse(statusCode: number | null, { responseText }: Exchange): string {
  if (statusCode === null) return 'There was no response.'
  if (responseText === '') return 'The response had no body.'
  return (
    'The body of the response is not kept: it is older than 30 days, or the address is one that ' +
    'the operator of this server opened.'
  )
}
