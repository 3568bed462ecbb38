// The log of API requests, with filters. Each view has its own address.
import type { z } from 'zod'
import type { AccessOperations } from '../../kernel/access/access-operations.ts'
import { requestMethods, statusClasses } from '../../kernel/access/api-request.ts'
import type { ApiRequestPage } from '../../kernel/access/list-api-requests.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import { Alert, Badge } from '../../kernel/web/components.tsx'
import { SelectField, TextField } from '../../kernel/web/form.tsx'
import { Moment } from '../components/moment.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EmptyState, Pager, Table } from '../components/table.tsx'
import { type AppRoute, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

export const requestsPath = '/developers/requests'

const filterNames = ['method', 'status', 'keyId', 'path', 'requestId', 'from', 'to'] as const
type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>

export function requestsPages({ listApiRequests, listApiKeys }: AccessOperations): AppRoute[] {
  return definePage({
    path: requestsPath,
    operation: listApiRequests,
    async show(visit) {
      const filters = filtersOf(visit)
      const before = visit.query.get('before') || undefined
      const keys = await visit.run(listApiKeys, {})
      const page = await visit
        .run(listApiRequests, { ...filters, before } as z.input<typeof listApiRequests.input>)
        .catch(unreadableFilter)
      const keyNames = Object.fromEntries(
        keys
          .filter(({ environment }) => environment === visit.actor.environment)
          .map(({ id, name, hint }) => [id, `${name} (${hint})`]),
      )
      return {
        title: 'API requests',
        content: (
          <>
            <PageHeader
              title="API requests"
              lead="Requests with a valid key of this business, for 30 days. Bodies and queries are not kept."
              back={{ href: visit.href('/developers'), text: 'Developers' }}
            />
            <Filter filters={filters} keyNames={keyNames} />
            {page instanceof Fault ? (
              <Alert tone="bad">A filter could not be read. Check the dates.</Alert>
            ) : (
              <Requests visit={visit} page={page} filters={filters} isFirst={!before} />
            )}
          </>
        ),
      }
    },
  })
}

function filtersOf({ query }: Visit): Filters {
  return Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = query.get(name)?.trim()
      return value ? [[name, value]] : []
    }),
  )
}

function unreadableFilter(error: unknown): Fault {
  if (error instanceof Fault && error.kind === 'invalid_request') return error
  throw error
}

function Filter({
  filters,
  keyNames,
}: {
  filters: Filters
  keyNames: Readonly<Record<string, string>>
}) {
  const same = (values: readonly string[]) => Object.fromEntries(values.map((one) => [one, one]))
  const any = { '': 'Any' }
  return (
    <form class="filter-bar" method="get">
      <SelectField
        name="method"
        label="Method"
        value={filters.method ?? ''}
        choices={{ ...any, ...same(requestMethods) }}
      />
      <SelectField
        name="status"
        label="Status"
        value={filters.status ?? ''}
        choices={{ ...any, ...same(statusClasses) }}
      />
      <SelectField
        name="keyId"
        label="Key"
        value={filters.keyId ?? ''}
        choices={{ ...any, ...keyNames }}
      />
      <TextField name="path" label="Part of the path" value={filters.path ?? ''} isOptional />
      <TextField name="requestId" label="Request id" value={filters.requestId ?? ''} isOptional />
      <TextField name="from" label="From (UTC)" type="date" value={filters.from ?? ''} isOptional />
      <TextField name="to" label="To (UTC)" type="date" value={filters.to ?? ''} isOptional />
      <button class="btn mb-3" type="submit">
        Filter
      </button>
    </form>
  )
}

type RequestsProps = { visit: Visit; page: ApiRequestPage; filters: Filters; isFirst: boolean }

function Requests({ visit, page, filters, isFirst }: RequestsProps) {
  const { requests, nextBefore } = page
  if (requests.length === 0) {
    return Object.keys(filters).length > 0 ? (
      <EmptyState
        title="No requests found"
        action={
          <a class="btn" href={visit.href(requestsPath)}>
            Remove all filters
          </a>
        }
      >
        Change or remove a filter.
      </EmptyState>
    ) : (
      <EmptyState
        title="No requests yet"
        action={
          <a class="btn" href={visit.href('/developers/keys')}>
            See API keys
          </a>
        }
      >
        Requests appear here a second after your systems made them.
      </EmptyState>
    )
  }
  return (
    <>
      <Table
        caption="API requests"
        rows={requests}
        keyOf={({ id }) => id}
        columns={[
          {
            label: 'Request',
            cell: ({ method, path, requestId }) => (
              <span>
                <code>
                  {method} {path}
                </code>
                <span class="quiet d-block">{requestId}</span>
              </span>
            ),
          },
          {
            label: 'Status',
            cell: ({ status }) => <Badge tone={toneOf(status)}>{String(status)}</Badge>,
          },
          {
            label: 'Key',
            cell: ({ keyName, keyHint, address }) => (
              <span title={keyHint ?? ''}>
                {keyName}
                <span class="quiet d-block">{address}</span>
              </span>
            ),
          },
          { label: 'Time', isNumber: true, cell: ({ durationMs }) => `${durationMs}\u00a0ms` },
          { label: 'When', cell: ({ at }) => <Moment at={at} zone={visit.zone} /> },
        ]}
      />
      <Pager
        firstHref={isFirst ? undefined : visit.href(requestsPath, filters)}
        nextHref={
          nextBefore ? visit.href(requestsPath, { ...filters, before: nextBefore }) : undefined
        }
      />
    </>
  )
}

function toneOf(status: number): 'good' | 'bad' | 'unsure' {
  if (status >= 500) return 'bad'
  return status >= 400 ? 'unsure' : 'good'
}
