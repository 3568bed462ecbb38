// Webhook endpoints of a service: the list, and a new one.
import { DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { EmptyState, Table } from '../components/table.tsx'
import { type AppRoute, defineForm, definePage } from '../shell/define-page.ts'
import { deliveryPage } from './delivery-page.tsx'
import { endpointForms } from './endpoint-forms.tsx'
import { endpointPage } from './endpoint-page.tsx'
import { EventChoice } from './event-choice.tsx'
import { shownOnce } from './shown-once.tsx'
import { endpointStatus, type WebhookService, webhooksPath } from './webhook-service.ts'

const serviceTitles: Readonly<Record<string, string>> = {
  merchant: 'Payments',
  books: 'Books',
}

export function webhooksPages(service: WebhookService): AppRoute[] {
  return [
    ...listPage(service),
    ...createForm(service),
    ...endpointPage(service),
    ...deliveryPage(service),
    ...endpointForms(service),
  ]
}

const listPage = (service: WebhookService) =>
  definePage({
    path: webhooksPath(service),
    operation: service.operations.listEndpoints,
    async show(visit) {
      const endpoints = await visit.run(service.operations.listEndpoints, {})
      const base = webhooksPath(service)
      const title = `Webhooks: ${serviceTitles[service.profile.service]}`
      return {
        title,
        content: (
          <>
            <PageHeader
              title={title}
              lead="We send every event that you choose to these addresses, signed, until they answer."
              back={{ href: visit.href('/developers'), text: 'Developers' }}
              actions={
                visit.may(service.operations.createEndpoint) && (
                  <a class="btn btn-primary" href={visit.href(`${base}/new`)}>
                    New endpoint
                  </a>
                )
              }
            />
            {endpoints.length === 0 ? (
              <EmptyState title="No webhook endpoints">
                Register the HTTPS address of your system to hear of events as they happen.
              </EmptyState>
            ) : (
              <Table
                caption="Webhook endpoints"
                rows={endpoints}
                keyOf={({ id }) => id}
                hrefOf={({ id }) => visit.href(`${base}/${id}`)}
                columns={[
                  { label: 'Address', cell: ({ url }) => url },
                  { label: 'Status', cell: ({ state }) => <Status of={endpointStatus(state)} /> },
                  {
                    label: 'Events',
                    cell: ({ eventTypes }) => (eventTypes === null ? 'All' : eventTypes.length),
                  },
                ]}
              />
            )}
          </>
        ),
      }
    },
  })

const createForm = (service: WebhookService) =>
  defineForm({
    path: `${webhooksPath(service)}/new`,
    operation: service.operations.createEndpoint,
    input(_visit, form) {
      const chosen = form.getAll('eventTypes')
      return { url: form.get('url') ?? '', eventTypes: chosen.length > 0 ? chosen : null }
    },
    show: async (visit, draft) =>
      formPage({
        title: 'New endpoint',
        back: { href: visit.href(webhooksPath(service)), text: 'Webhooks' },
        draft,
        submit: 'Create endpoint',
        showsSecret: true,
        children: (
          <>
            <DraftText
              draft={draft}
              name="url"
              label="Address"
              hint="An https:// address that answers with a 2xx status within seconds."
            />
            {service.profile.eventTypes && (
              <EventChoice
                types={service.profile.eventTypes}
                chosen={draft.values.getAll('eventTypes')}
              />
            )}
          </>
        ),
      }),
    done: (visit, { secret }) =>
      shownOnce(visit, 'Endpoint created', 'Secret that signs every delivery', secret),
  })
