// API keys of both services: the list, and creating, rotating and revoking one.
import type { AccessOperations } from '../../kernel/access/access-operations.ts'
import type { ApiKeyView } from '../../kernel/access/list-api-keys.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { Moment } from '../components/moment.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { EmptyState, Table } from '../components/table.tsx'
import { type AppRoute, defineForm, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { keyPresets } from './key-presets.ts'
import { requestsPath } from './requests-page.tsx'
import { shownOnce } from './shown-once.tsx'

const path = '/developers/keys'

export function keysPages(access: AccessOperations): AppRoute[] {
  return [...listPage(access), ...createForm(access), ...rotateForm(access), ...revokeForm(access)]
}

const listPage = ({ listApiKeys, createApiKey, rotateApiKey }: AccessOperations) =>
  definePage({
    path,
    operation: listApiKeys,
    async show(visit) {
      const all = await visit.run(listApiKeys, {})
      const keys = all.filter(({ environment }) => environment === visit.actor.environment)
      const mayChange = visit.may(rotateApiKey)
      return {
        title: 'API keys',
        content: (
          <>
            <PageHeader
              title="API keys"
              lead="With a key, your own systems call the API. Its text is shown once, when you create it."
              back={{ href: visit.href('/developers'), text: 'Developers' }}
              actions={
                visit.may(createApiKey) && (
                  <a class="btn btn-primary" href={visit.href(`${path}/new`)}>
                    New key
                  </a>
                )
              }
            />
            {keys.length === 0 ? (
              <EmptyState title="No API keys">
                Create one for each system that calls the API.
              </EmptyState>
            ) : (
              <Table
                caption="API keys"
                rows={keys}
                keyOf={({ id }) => id}
                columns={[
                  { label: 'Name', cell: ({ name }) => <strong>{name}</strong> },
                  { label: 'Key', cell: ({ hint }) => <code>{hint}</code> },
                  { label: 'Status', cell: ({ state }) => <Status of={state} /> },
                  { label: 'Scopes', cell: ({ scopes }) => scopesText(scopes) },
                  {
                    label: 'Works from',
                    cell: ({ allowedAddresses }) => fromText(allowedAddresses),
                  },
                  {
                    label: 'Expires',
                    cell: ({ expiresAt }) =>
                      expiresAt ? <Moment at={expiresAt} zone={visit.zone} /> : 'Never',
                  },
                  {
                    label: 'Last used',
                    cell: ({ lastUsedAt }) =>
                      lastUsedAt ? <Moment at={lastUsedAt} zone={visit.zone} /> : 'Never',
                  },
                  {
                    label: 'Actions',
                    cell: (key) => <KeyActions visit={visit} apiKey={key} mayChange={mayChange} />,
                  },
                ]}
              />
            )}
          </>
        ),
      }
    },
  })

function fromText(addresses: readonly string[]): string {
  return addresses.length === 0 ? 'Everywhere' : addresses.join(', ')
}

function scopesText(scopes: readonly string[]) {
  return (
    <span title={scopes.join(', ')}>
      {scopes.length === 1 ? scopes[0] : `${scopes.length} scopes`}
    </span>
  )
}

type KeyActionsProps = { visit: Visit; apiKey: ApiKeyView; mayChange: boolean }

function KeyActions({ visit, apiKey, mayChange }: KeyActionsProps) {
  const { id, state } = apiKey
  return (
    <span class="item-actions">
      <a href={visit.href(requestsPath, { keyId: id })}>Requests</a>
      {mayChange && state === 'active' && (
        <>
          <a href={visit.href(`${path}/${id}/rotate`)}>Rotate</a>
          <a href={visit.href(`${path}/${id}/revoke`)}>Revoke</a>
        </>
      )}
    </span>
  )
}

const back = (visit: Visit) => ({ href: visit.href(path), text: 'API keys' })

const createForm = ({ createApiKey }: AccessOperations) =>
  defineForm({
    path: `${path}/new`,
    operation: createApiKey,
    isSensitive: true,
    input(_visit, form) {
      const preset = keyPresets[form.get('preset') ?? '']
      if (!preset) throw invalidField('preset', 'Choose what the key is for.')
      const addresses = (form.get('allowedAddresses') ?? '').split(/[\s,]+/).filter(Boolean)
      return {
        name: (form.get('name') ?? '').trim(),
        service: preset.service,
        scopes: [...preset.scopes],
        ...(addresses.length > 0 && { allowedAddresses: addresses }),
        ...expiryOf(form),
      }
    },
    async show(visit, draft) {
      const choices = Object.fromEntries(
        Object.entries(keyPresets).map(([name, { title }]) => [name, title]),
      )
      return formPage({
        title: 'New API key',
        back: back(visit),
        draft,
        submit: 'Create key',
        showsSecret: true,
        children: (
          <>
            <DraftText
              draft={draft}
              name="name"
              label="Name"
              hint="The system that will use it, for example “Web shop”."
            />
            <DraftSelect
              draft={draft}
              name="preset"
              label="Purpose"
              hint="The key gets only the scopes that this purpose needs."
              choices={choices}
            />
            <DraftText
              draft={draft}
              name="allowedAddresses"
              label="Allowed addresses (optional)"
              hint="IP addresses or CIDR ranges from which the key works. Empty: from everywhere."
              isOptional
            />
            <DraftText
              draft={draft}
              name="expiresAt"
              label="Last day (optional)"
              hint="The key stops working at the end of this day, in UTC. Empty: it never expires."
              type="date"
              isOptional
            />
          </>
        ),
      })
    },
    done: (visit, { text }) => shownOnce(visit, 'API key created', 'Your new key', text),
  })

function expiryOf(form: URLSearchParams) {
  const day = (form.get('expiresAt') ?? '').trim()
  return day === '' ? {} : { expiresAt: `${day}T23:59:59.999Z` }
}

const rotateForm = ({ rotateApiKey }: AccessOperations) =>
  defineForm({
    path: `${path}/:id/rotate`,
    operation: rotateApiKey,
    isSensitive: true,
    input: (visit, form) => ({
      id: visit.param('id'),
      overlapSeconds: Number.parseInt(form.get('overlapSeconds') ?? '', 10),
    }),
    show: async (visit, draft) =>
      formPage({
        title: 'Rotate API key',
        back: back(visit),
        draft,
        submit: 'Create new key',
        showsSecret: true,
        children: (
          <>
            <p>You get a new key with the same scopes. The old one stops working later.</p>
            <DraftSelect
              draft={draft}
              name="overlapSeconds"
              label="The old key works for"
              initial="86400"
              choices={{ 0: 'no longer', 3600: '1 hour', 86400: '1 day', 604800: '7 days' }}
            />
          </>
        ),
      }),
    done: (visit, { text }) => shownOnce(visit, 'API key rotated', 'Your new key', text),
  })

const revokeForm = ({ revokeApiKey }: AccessOperations) =>
  defineForm({
    path: `${path}/:id/revoke`,
    operation: revokeApiKey,
    isSensitive: true,
    input: (visit) => ({ id: visit.param('id') }),
    show: async (visit, draft) =>
      formPage({
        title: 'Revoke API key',
        back: back(visit),
        draft,
        submit: 'Revoke key',
        isDangerous: true,
        children: <p>The key stops working within a second, for ever.</p>,
      }),
    done: (visit, { name }) => ({
      location: visit.href(path),
      message: `The key ${name} is revoked.`,
    }),
  })
