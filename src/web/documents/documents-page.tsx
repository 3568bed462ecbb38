// The lists of documents: search, views, totals of what is found, and the same as CSV.
import { csvHeaders, csvLine } from '../../kernel/http/csv.ts'
import { TextField } from '../../kernel/web/form.tsx'
import { withBulk } from '../batches/bulk-bar.tsx'
import { latestBatches } from '../batches/latest-batches.tsx'
import { typedAmount } from '../components/amount-field.ts'
import { FilterChips } from '../components/filter-chips.tsx'
import { Icon } from '../components/icon.tsx'
import { formatMoney } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EmptyState, Pager } from '../components/table.tsx'
import { type AppRoute, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import {
  type DocumentPlace,
  documentPlaces,
  type FoundPaper,
  type PaperKind,
  type PaperSum,
  paperNames,
} from './document-place.ts'
import { FirstDocument } from './first-document.tsx'
import { type Filters, queryOf, wantedOf } from './wanted-documents.ts'

const pageSize = 25
const csvPageSize = 1000

export const documentsPages: AppRoute[] = documentPlaces.flatMap((place) => [
  ...listPage(place),
  ...csvPage(place),
])

function listPage(place: DocumentPlace): AppRoute[] {
  const { path, title, lead, operation, views } = place
  return definePage({
    path,
    operation,
    async show(visit) {
      const wanted = wantedOf(place, visit.query)
      const after = visit.query.get('after') || undefined
      const { papers, sums, next } = await place.search(visit, {
        ...wanted,
        after,
        limit: pageSize,
      })
      const query = queryOf(wanted)
      const isFiltered = Object.values(query).some((value) => value !== undefined)
      return {
        title,
        content: (
          <>
            <PageHeader
              title={title}
              lead={lead}
              actions={
                <>
                  <a class="btn" href={visit.href(`${path}.csv`, query)} data-turbo="false">
                    Download CSV
                  </a>
                  <NewButtons visit={visit} place={place} />
                </>
              }
            />
            {place.side && (await latestBatches(visit))}
            <FilterBar place={place} wanted={wanted} />
            <FilterChips
              label="State"
              chosen={wanted.view}
              choices={views}
              hrefOf={(view) => visit.href(path, { ...query, view })}
            />
            <Sums sums={sums} />
            {papers.length > 0 ? (
              await withBulk({ visit, place, query, sums, papers })
            ) : (
              <EmptyState
                title={isFiltered ? 'Nothing found' : `No ${title.toLowerCase()} yet`}
                action={!isFiltered && <FirstDocument visit={visit} place={place} />}
              >
                {isFiltered ? (
                  <>
                    Nothing matches these filters. <a href={visit.href(path)}>Show everything</a>
                  </>
                ) : (
                  lead
                )}
              </EmptyState>
            )}
            <Pager
              firstHref={after ? visit.href(path, query) : undefined}
              nextHref={next ? visit.href(path, { ...query, after: next }) : undefined}
            />
          </>
        ),
      }
    },
  })
}

// The usual kind has the button; the others are in a menu.
function NewButtons({ visit, place }: { visit: Visit; place: DocumentPlace }) {
  const [usual, ...others] = place.kinds
  if (!visit.may(place.creates) || usual === undefined) return null
  const href = (kind: PaperKind) =>
    visit.href(`${place.path}/new`, { kind: kind === usual ? undefined : kind })
  return (
    <>
      {others.length > 0 && (
        <details class="menu menu-end menu-acts">
          <summary class="btn">
            New… <Icon name="down" />
          </summary>
          <ul class="menu-list">
            {others.map((kind) => (
              <li key={kind}>
                <a href={href(kind)}>New {paperNames[kind].toLowerCase()}</a>
              </li>
            ))}
          </ul>
        </details>
      )}
      <a class="btn btn-primary" href={href(usual)}>
        New {paperNames[usual].toLowerCase()}
      </a>
    </>
  )
}

type BarProps = { place: DocumentPlace; wanted: Filters }

function FilterBar({ place: { kinds }, wanted }: BarProps) {
  const { view, kind, text = '', contactId, from = '', to = '' } = wanted
  const isMore = kind !== undefined || from !== '' || to !== ''
  return (
    <form class="filter-bar" method="get">
      {view && <input type="hidden" name="view" value={view} />}
      {contactId && <input type="hidden" name="contact" value={contactId} />}
      <TextField name="q" label="Number, contact, reference or amount" value={text} isOptional />
      <button class="btn mb-3" type="submit">
        Search
      </button>
      <details class="filter-more mb-3" open={isMore}>
        <summary class="btn">More filters</summary>
        <div class="filter-bar">
          {kinds.length > 1 && (
            <div class="mb-3">
              <label class="form-label" for="kind">
                Kind
              </label>
              <select class="form-select" id="kind" name="kind">
                <option value="">All</option>
                {kinds.map((one) => (
                  <option key={one} value={one} selected={one === kind}>
                    {paperNames[one]}
                  </option>
                ))}
              </select>
            </div>
          )}
          <TextField name="from" label="From" type="date" value={from} isOptional />
          <TextField name="to" label="To" type="date" value={to} isOptional />
        </div>
      </details>
    </form>
  )
}

// What all that was found comes to, not only this page. Credits count as negative.
function Sums({ sums }: { sums: readonly PaperSum[] }) {
  if (sums.length === 0) return null
  return (
    <ul class="sums" aria-label="Totals">
      {sums.map(({ currency, count, totalMinor, dueMinor }) => (
        <li key={currency}>
          <span class="quiet">{count === 1 ? '1 document' : `${count} documents`}</span>{' '}
          <strong class="money">{formatMoney(totalMinor, currency)}</strong>
          {dueMinor !== null && dueMinor !== 0n && (
            <>
              {' '}
              <span class="quiet">of which due</span>{' '}
              <strong class="money">{formatMoney(dueMinor, currency)}</strong>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

function csvPage(place: DocumentPlace): AppRoute[] {
  return definePage({
    path: `${place.path}.csv`,
    operation: place.operation,
    async show(visit) {
      const wanted = wantedOf(place, visit.query)
      // The first page is read before the answer begins, so that a wrong filter is refused.
      const first = await place.search(visit, { ...wanted, limit: csvPageSize, isSummed: false })
      const more = (after: string) =>
        place.search(visit, { ...wanted, after, limit: csvPageSize, isSummed: false })
      return {
        status: 200,
        headers: csvHeaders(`${place.title.toLowerCase()}.csv`),
        pieces: writeCsv(place, first, more),
      }
    },
  })
}

type Page = { readonly papers: readonly FoundPaper[]; readonly next: string | undefined }

async function* writeCsv(
  { untilLabel }: DocumentPlace,
  first: Page,
  more: (after: string) => Promise<Page>,
): AsyncIterable<string> {
  yield csvLine([
    ...['Kind', 'Number', 'Status', 'Contact', 'Date', untilLabel],
    ...['Reference', 'Currency', 'Total', 'Open', 'Id'],
  ])
  let page = first
  while (true) {
    yield page.papers.map(csvRow).join('')
    if (page.next === undefined) return
    page = await more(page.next)
  }
}

function csvRow(paper: FoundPaper): string {
  const { kind, number, status, contactName, date, untilDate, reference, currency } = paper
  return csvLine([
    ...[paperNames[kind], number ?? '', status, contactName, date, untilDate],
    ...[reference ?? '', currency, typedAmount(paper.totalMinor, currency)],
    paper.dueMinor === null ? '' : typedAmount(paper.dueMinor, currency),
    paper.id,
  ])
}
