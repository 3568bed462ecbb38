// Events of both services: the list, and one with its JSON and its deliveries.
import { type EventView, getEvent, listEvents } from '../../kernel/endpoints/event-operations.ts'
import { Card, CodeBlock } from '../../kernel/web/components.tsx'
import { SelectField } from '../../kernel/web/form.tsx'
import { merchantEventTypes } from '../../merchant/webhooks/event-contracts.ts'
import { Facts } from '../components/facts.tsx'
import { Moment } from '../components/moment.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { EmptyState, Pager, Table } from '../components/table.tsx'
import { type AppRoute, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { EventObject, EventObjectLink } from './event-object.tsx'
import { prettyJson } from './pretty-json.ts'
import type { WebhookService } from './webhook-service.ts'

const path = '/developers/events'

export function eventsPages(services: readonly WebhookService[]): AppRoute[] {
  const types = new Set([
    ...merchantEventTypes,
    ...services.flatMap(({ profile }) => [...(profile.eventTypes ?? []), profile.testEventType]),
  ])
  return [...listPage([...types]), ...eventPage]
}

const listPage = (types: readonly string[]) =>
  definePage({
    path,
    operation: listEvents,
    async show(visit) {
      const type = visit.query.get('type') || undefined
      const before = visit.query.get('before') || undefined
      const { events, nextBefore } = await visit.run(listEvents, { type, before })
      return {
        title: 'Events',
        content: (
          <>
            <PageHeader
              title="Events"
              lead="What happened in this business, and to how many webhook endpoints it was sent."
              back={{ href: visit.href('/developers'), text: 'Developers' }}
            />
            <form class="filter-bar" method="get">
              <SelectField
                name="type"
                label="Type"
                value={type ?? ''}
                choices={{ '': 'Any', ...Object.fromEntries(types.map((one) => [one, one])) }}
              />
              <button class="btn mb-3" type="submit">
                Filter
              </button>
            </form>
            {events.length === 0 ? (
              <EmptyState title="No events">
                Events appear here as soon as a payment, payout or document changes.
              </EmptyState>
            ) : (
              <Table
                caption="Events"
                rows={events}
                keyOf={({ id }) => id}
                hrefOf={({ id }) => visit.href(`${path}/${id}`)}
                columns={[
                  { label: 'Event', cell: (event) => <code>{event.type}</code> },
                  { label: 'Object', cell: (event) => <EventObject event={event} /> },
                  {
                    label: 'Delivered to',
                    cell: ({ deliveries, delivered }) =>
                      deliveries === 0 ? 'No endpoint' : `${delivered} of ${deliveries}`,
                  },
                  {
                    label: 'When',
                    cell: ({ createdAt }) => <Moment at={createdAt} zone={visit.zone} />,
                  },
                ]}
              />
            )}
            <Pager
              firstHref={before ? visit.href(path, { type }) : undefined}
              nextHref={nextBefore ? visit.href(path, { type, before: nextBefore }) : undefined}
            />
          </>
        ),
      }
    },
  })

const eventPage = definePage({
  path: `${path}/:id`,
  operation: getEvent,
  async show(visit) {
    const event = await visit.run(getEvent, { id: visit.param('id') })
    return {
      title: event.type,
      content: (
        <>
          <PageHeader title={event.type} back={{ href: visit.href(path), text: 'Events' }} />
          <div class="stack">
            <Card title="Details">
              <Facts
                facts={[
                  ['Event', <code>{event.id}</code>],
                  ['Object', <EventObjectLink visit={visit} event={event} />],
                  ['Id of the object', <code>{event.objectId}</code>],
                  ['When', <Moment at={event.createdAt} zone={visit.zone} />],
                ]}
              />
              <CodeBlock id="data" label="Data" text={prettyJson(event.data)} />
            </Card>
            <Deliveries visit={visit} service={event.service} deliveries={event.deliveries} />
          </div>
        </>
      ),
    }
  },
})

type Delivery = EventView['deliveries'][number]
type DeliveriesProps = { visit: Visit; service: string; deliveries: readonly Delivery[] }

function Deliveries({ visit, service, deliveries }: DeliveriesProps) {
  if (deliveries.length === 0) {
    return (
      <EmptyState
        title="Not sent"
        action={
          <a class="btn" href={visit.href('/developers')}>
            See webhook endpoints
          </a>
        }
      >
        No webhook endpoint listened to this kind of event when it happened.
      </EmptyState>
    )
  }
  return (
    <section>
      <h2>Deliveries</h2>
      <Table
        caption="Deliveries"
        rows={deliveries}
        keyOf={({ id }) => id}
        hrefOf={({ id, endpointId }) =>
          visit.href(`/developers/webhooks/${service}/${endpointId}/deliveries/${id}`)
        }
        columns={[
          { label: 'Endpoint', cell: ({ url }) => url },
          { label: 'Status', cell: (delivery) => <Status of={statusOf(delivery)} /> },
          { label: 'Answer', cell: ({ lastStatusCode }) => lastStatusCode ?? '' },
          { label: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
        ]}
      />
    </section>
  )
}

function statusOf({ attempts, succeeded }: Delivery): string {
  if (attempts === 0) return 'pending'
  return succeeded ? 'delivered' : 'failed'
}
