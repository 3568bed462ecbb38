// Everything that people do with one webhook endpoint.
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { type AppRoute, defineAction, defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { EventChoice } from './event-choice.tsx'
import { shownOnce } from './shown-once.tsx'
import { type WebhookService, webhooksPath } from './webhook-service.ts'

export function endpointForms(service: WebhookService): AppRoute[] {
  return [
    ...editForm(service),
    ...deleteForm(service),
    ...rotateForm(service),
    ...replayForm(service),
    ...actForms(service),
  ]
}

const backToEndpoint = (service: WebhookService, visit: Visit) => ({
  href: visit.href(`${webhooksPath(service)}/${visit.param('id')}`),
  text: 'Endpoint',
})

const editForm = (service: WebhookService) =>
  defineForm({
    path: `${webhooksPath(service)}/:id/edit`,
    operation: service.operations.updateEndpoint,
    input(visit, form) {
      const chosen = form.getAll('eventTypes')
      return {
        id: visit.param('id'),
        url: (form.get('url') ?? '').trim(),
        eventTypes: chosen.length > 0 ? chosen : null,
      }
    },
    async show(visit, draft) {
      const endpoint = await visit.run(service.operations.getEndpoint, { id: visit.param('id') })
      const isFresh = !draft.values.has('url')
      return formPage({
        title: 'Change endpoint',
        back: backToEndpoint(service, visit),
        draft,
        submit: 'Save',
        children: (
          <>
            <DraftText draft={draft} name="url" label="Address" initial={endpoint.url} />
            {service.profile.eventTypes && (
              <EventChoice
                types={service.profile.eventTypes}
                chosen={isFresh ? (endpoint.eventTypes ?? []) : draft.values.getAll('eventTypes')}
              />
            )}
          </>
        ),
      })
    },
    done: (visit) => ({
      location: backToEndpoint(service, visit).href,
      message: 'The endpoint is changed.',
    }),
  })

// Days are in UTC, from the start of the first to the end of the last.
const replayForm = (service: WebhookService) =>
  defineForm({
    path: `${webhooksPath(service)}/:id/replay`,
    operation: service.operations.replayEvents,
    input: (visit, form) => ({
      id: visit.param('id'),
      from: `${form.get('from') ?? ''}T00:00:00Z`,
      to: `${form.get('to') ?? ''}T23:59:59.999Z`,
      isMissingOnly: form.get('which') !== 'all',
    }),
    show: async (visit, draft) =>
      formPage({
        title: 'Replay events',
        back: backToEndpoint(service, visit),
        draft,
        submit: 'Replay',
        children: (
          <>
            <p>The events of these days are sent to this endpoint again. Days are in UTC.</p>
            <DraftText draft={draft} name="from" label="From" type="date" />
            <DraftText draft={draft} name="to" label="To" type="date" />
            <DraftSelect
              draft={draft}
              name="which"
              label="Which"
              initial="missing"
              choices={{ missing: 'Only events it was never sent', all: 'All events' }}
            />
          </>
        ),
      }),
    done: (visit, { missing, again }) => ({
      location: backToEndpoint(service, visit).href,
      message: `${missing + again} events are sent again.`,
    }),
  })

const deleteForm = (service: WebhookService) =>
  defineForm({
    path: `${webhooksPath(service)}/:id/delete`,
    operation: service.operations.deleteEndpoint,
    input: (visit) => ({ id: visit.param('id') }),
    show: async (visit, draft) =>
      formPage({
        title: 'Delete endpoint',
        back: backToEndpoint(service, visit),
        draft,
        submit: 'Delete endpoint',
        isDangerous: true,
        children: <p>Nothing is sent to this address any more, also not what is waiting.</p>,
      }),
    done: (visit) => ({
      location: visit.href(webhooksPath(service)),
      message: 'The endpoint is deleted.',
    }),
  })

const rotateForm = (service: WebhookService) =>
  defineForm({
    path: `${webhooksPath(service)}/:id/rotate`,
    operation: service.operations.rotateSecret,
    isSensitive: true,
    input: (visit) => ({ id: visit.param('id') }),
    show: async (visit, draft) =>
      formPage({
        title: 'Rotate secret',
        back: backToEndpoint(service, visit),
        draft,
        submit: 'Create new secret',
        showsSecret: true,
        children: (
          <p>Both secrets sign for 24 hours, so that your system can change without a gap.</p>
        ),
      }),
    done: (visit, { secret }) =>
      shownOnce(visit, 'Secret rotated', 'Secret that signs every delivery', secret),
  })

const actForms = (service: WebhookService): AppRoute[] => {
  const { sendTestEvent, switchOnEndpoint, retryDelivery, promoteSecret, redriveDeliveries } =
    service.operations
  const page = (visit: Visit) => backToEndpoint(service, visit).href
  const base = `${webhooksPath(service)}/:id`
  return [
    ...defineAction({
      path: `${base}/test`,
      operation: sendTestEvent,
      input: (visit) => ({ id: visit.param('id') }),
      page,
      done: (visit) => ({ location: page(visit), message: 'The test event was sent.' }),
    }),
    ...defineAction({
      path: `${base}/switch-on`,
      operation: switchOnEndpoint,
      input: (visit) => ({ id: visit.param('id') }),
      page,
      done: (visit) => ({ location: page(visit), message: 'The endpoint is on again.' }),
    }),
    ...defineAction({
      path: `${base}/redrive`,
      operation: redriveDeliveries,
      input: (visit) => ({ endpointId: visit.param('id') }),
      page,
      done: (visit, counts) => ({
        location: page(visit),
        message: `${counts.reduce((sum, { count }) => sum + count, 0)} dead letters are sent again.`,
      }),
    }),
    ...defineAction({
      path: `${base}/promote`,
      operation: promoteSecret,
      input: (visit) => ({ id: visit.param('id') }),
      page,
      done: (visit) => ({ location: page(visit), message: 'Only the new secret signs.' }),
    }),
    ...defineAction({
      path: `${base}/deliveries/:delivery/retry`,
      operation: retryDelivery,
      input: (visit) => ({ id: visit.param('delivery') }),
      page,
      done: (visit) => ({ location: page(visit), message: 'It was sent again.' }),
    }),
  ]
}
