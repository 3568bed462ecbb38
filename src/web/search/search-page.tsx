// The search: a page for everybody, and what the command palette shows while a person types. The
// palette asks for the results alone (Turbo names its frame in a header), without the rest of the
// page.
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { mayCall } from '../../kernel/operations/permission.ts'
import { listPayments } from '../../merchant/payments/list-payments.ts'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { type AppRoute, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { type Command, commands, matchingCommands } from './commands.ts'
import { findObjects, type Hit, type HitGroup } from './find-objects.ts'

// Longer texts find nothing.
const textMax = 100

export function searchPages(routes: readonly AppRoute[]): AppRoute[] {
  return definePage({
    path: '/search',
    operation: listPayments,
    async show(visit) {
      const text = (visit.query.get('q') ?? '').trim().slice(0, textMax)
      const offered = commands.filter(({ path }) => opens(routes, visit, path))
      const found = {
        text,
        commands: matchingCommands(offered, text),
        groups: text === '' ? [] : await findObjects(visit, text),
      }
      const frame = visit.request.headers.get('turbo-frame')
      if (frame === 'palette-results') {
        return {
          status: 200,
          headers: { 'content-type': 'text/html; charset=utf-8' },
          body: renderToString(
            h('turbo-frame', { id: frame }, <Results visit={visit} {...found} />),
          ),
        }
      }
      return {
        title: text === '' ? 'Search' : `Search: ${text}`,
        content: (
          <>
            <PageHeader title={text === '' ? 'Search' : `Results for “${text}”`} />
            <Results visit={visit} {...found} />
          </>
        ),
      }
    },
  })
}

function opens(routes: readonly AppRoute[], { actor }: Visit, path: string): boolean {
  return routes.some(
    (route) => route.method === 'GET' && route.path === path && mayCall(route.operation, actor),
  )
}

type ResultsProps = {
  visit: Visit
  text: string
  commands: readonly Command[]
  groups: readonly HitGroup[]
}

function Results({ visit, text, commands: offered, groups }: ResultsProps) {
  if (offered.length === 0 && groups.length === 0) {
    return (
      <p class="search-none" data-results-of={text}>
        Nothing found for “{text}”. Try a payer’s e-mail, an amount, or part of a title.
      </p>
    )
  }
  const places = offered.map(({ label, path }) => ({ id: path, path, title: label }))
  const all = [...(places.length > 0 ? [{ label: 'Go to', hits: places }] : []), ...groups]
  return (
    <div class="search-results" data-results-of={text}>
      {all.map(({ label, hits }) => (
        <section class="search-group" key={label}>
          <h2>{label}</h2>
          <ul>
            {hits.map((hit) => (
              <li key={hit.id}>
                <HitLink visit={visit} {...hit} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function HitLink({ visit, path, title, detail, status }: Hit & { visit: Visit }) {
  return (
    <a class="search-hit" href={visit.href(path)} data-turbo-frame="_top">
      <span class="search-title">{title}</span>
      {detail && <span class="search-detail">{detail}</span>}
      {status && <Status of={status} />}
    </a>
  )
}
