// The journal: every entry of the books, newest first.
import { exportJournal } from '../../books/export/export-journal.ts'
import { exportHref } from '../../books/export/journal-pages.ts'
import { exportFormats } from '../../books/export/journal-text.ts'
import { type EntryPage, listJournalEntries } from '../../books/journal/list-journal-entries.ts'
import { postManualJournal } from '../../books/journal/post-manual-journal.ts'
import { postOpeningBalances } from '../../books/journal/post-opening-balances.ts'
import { TextField } from '../../kernel/web/form.tsx'
import { Day } from '../components/day.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EmptyState, Pager, Table } from '../components/table.tsx'
import { serviceMoneyPath } from '../service-money/service-money-text.ts'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { entryKindText } from './entry-kind.ts'

const path = '/journal'

export const journalListPages = definePage({
  path,
  operation: listJournalEntries,
  async show(visit) {
    const { query } = visit
    const from = query.get('from') || undefined
    const to = query.get('to') || undefined
    const search = query.get('q')?.trim() || undefined
    const before = sequenceOf(query.get('before'))
    const page = await visit.run(listJournalEntries, { from, to, search, before })
    const filter = { from, to, q: search }
    const { nextBefore } = page
    return {
      title: 'Journal',
      content: (
        <>
          <PageHeader
            title="Journal"
            lead="Every entry in the books. Entries never change; corrections are new entries."
            actions={
              <>
                {visit.may(postOpeningBalances) && (
                  <a class="btn" href={visit.href(`${path}/opening-balances`)}>
                    Opening balances
                  </a>
                )}
                <a class="btn" href={visit.href(serviceMoneyPath)}>
                  Service money
                </a>
                {visit.may(postManualJournal) && (
                  <a class="btn" href={visit.href(`${path}/templates`)}>
                    Templates
                  </a>
                )}
                {visit.may(postManualJournal) && (
                  <a class="btn btn-primary" href={visit.href(`${path}/new`)}>
                    New manual journal
                  </a>
                )}
              </>
            }
          />
          <form class="filter-bar" method="get">
            <TextField name="q" label="Description" value={search ?? ''} isOptional />
            <TextField name="from" label="From" type="date" value={from ?? ''} isOptional />
            <TextField name="to" label="To" type="date" value={to ?? ''} isOptional />
            <button class="btn mb-3" type="submit">
              Show
            </button>
          </form>
          {page.entries.length === 0 ? (
            <EmptyState title="No entries here">
              Entries appear when you issue an invoice, approve a bill or record a payment.
            </EmptyState>
          ) : (
            <EntryList visit={visit} page={page} />
          )}
          <Pager
            firstHref={before ? visit.href(path, filter) : undefined}
            nextHref={
              nextBefore === null
                ? undefined
                : visit.href(path, { ...filter, before: nextBefore.toString() })
            }
          />
          {visit.may(exportJournal) && <Exports visit={visit} />}
        </>
      ),
    }
  },
})

function Exports({ visit }: { visit: Visit }) {
  return (
    <p class="quiet mt-3">
      The whole journal as text, for{' '}
      {exportFormats.map((format, index) => (
        <span key={format}>
          {index > 0 && ', '}
          <a href={exportHref(format, visit.actor)} data-turbo="false">
            {format}
          </a>
        </span>
      ))}
      .
    </p>
  )
}

export function sequenceOf(text: string | null): bigint | undefined {
  return text !== null && /^[1-9]\d{0,17}$/.test(text) ? BigInt(text) : undefined
}

function EntryList({ visit, page }: { visit: Visit; page: EntryPage }) {
  return (
    <Table
      caption="Journal entries"
      rows={page.entries}
      keyOf={({ sequence }) => sequence.toString()}
      hrefOf={({ sequence }) => visit.href(`${path}/${sequence}`)}
      columns={[
        { label: 'Entry', cell: ({ sequence }) => sequence.toString() },
        { label: 'Date', cell: ({ date }) => <Day of={date} /> },
        { label: 'Description', cell: ({ description }) => description },
        { label: 'Fact', cell: ({ kind }) => entryKindText(kind) },
        {
          label: 'Amount',
          isNumber: true,
          cell: ({ amountMinor }) => <Money minor={amountMinor} currency={page.currency} />,
        },
      ]}
    />
  )
}
