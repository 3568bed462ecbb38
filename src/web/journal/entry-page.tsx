// One journal entry: its lines, what it is about, and what reverses it.
import { isSale } from '../../books/documents/document-status.ts'
import { type EntryView, getJournalEntry } from '../../books/journal/get-journal-entry.ts'
import { reverseManualJournal } from '../../books/journal/reverse-manual-journal.ts'
import { createJournalTemplate } from '../../books/journal-templates/create-journal-template.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { Card } from '../../kernel/web/components.tsx'
import { Day } from '../components/day.tsx'
import { Facts } from '../components/facts.tsx'
import { Moment } from '../components/moment.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Table } from '../components/table.tsx'
import { ledgerHref } from '../reports/general-ledger-page.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { entryKindText } from './entry-kind.ts'
import { sequenceOf } from './journal-page.tsx'

const path = '/journal'

export const journalEntryPages = definePage({
  path: `${path}/:sequence`,
  operation: getJournalEntry,
  async show(visit) {
    const sequence = sequenceOf(visit.param('sequence'))
    if (sequence === undefined) throw notFound('journal entry')
    const entry = await visit.run(getJournalEntry, { sequence })
    return {
      title: `Entry ${sequence}`,
      content: (
        <>
          <PageHeader
            back={{ href: visit.href(path), text: 'Journal' }}
            title={`Entry ${sequence}`}
            lead={entry.description}
            actions={
              <>
                {entry.kind === 'journal.posted' && visit.may(createJournalTemplate) && (
                  <>
                    <a class="btn" href={visit.href(`${path}/${sequence}/template`)}>
                      Save as template
                    </a>
                    <a
                      class="btn"
                      href={visit.href('/recurring/new-journal', { journal: entry.sourceId })}
                    >
                      Make recurring
                    </a>
                  </>
                )}
                {isReversible(entry) && visit.may(reverseManualJournal) && (
                  <a class="btn" href={visit.href(`${path}/${sequence}/reverse`)}>
                    Reverse
                  </a>
                )}
              </>
            }
          />
          <div class="stack">
            <Card title="Details">
              <EntryFacts visit={visit} entry={entry} />
            </Card>
            <EntryLines visit={visit} entry={entry} />
          </div>
        </>
      ),
    }
  },
})

// What a document or payment posted is reversed from there.
function isReversible({ kind, reversedBySequence }: EntryView): boolean {
  return reversedBySequence === null && (kind === 'journal.posted' || kind === 'opening.posted')
}

type EntryProps = { visit: Visit; entry: EntryView }

function EntryFacts({ visit, entry }: EntryProps) {
  const { document, schedule, reversesSequence, reversedBySequence } = entry
  const link = (sequence: bigint) => (
    <a href={visit.href(`${path}/${sequence}`)}>Entry {sequence.toString()}</a>
  )
  return (
    <Facts
      facts={[
        ['Date', <Day of={entry.date} />],
        ['Fact', entryKindText(entry.kind)],
        document && [
          'Document',
          <a href={visit.href(`${isSale(document.kind) ? '/invoices' : '/bills'}/${document.id}`)}>
            {document.number ?? 'Open it'}
          </a>,
        ],
        schedule && [
          'Schedule',
          <a href={visit.href(`/recurring/${schedule.scheduleId}`)}>{schedule.name}</a>,
        ],
        reversesSequence !== null && ['Reverses', link(reversesSequence)],
        reversedBySequence !== null && ['Reversed by', link(reversedBySequence)],
        ['Posted', <Moment at={entry.postedAt} zone={visit.zone} />],
      ]}
    />
  )
}

function EntryLines({ visit, entry }: EntryProps) {
  const { currency } = entry
  const side = (minor: bigint) => (minor > 0n ? <Money minor={minor} currency={currency} /> : '')
  return (
    <Table
      caption="Lines"
      rows={entry.lines}
      keyOf={({ position }) => `${position}`}
      hrefOf={({ accountId }) =>
        ledgerHref(visit, accountId, { from: `${entry.date.slice(0, 4)}-01-01`, to: entry.date })
      }
      columns={[
        {
          label: 'Account',
          cell: ({ accountCode, accountName }) => `${accountCode} ${accountName}`,
        },
        {
          label: 'Text',
          cell: ({ contactName, description }) =>
            [contactName, description].filter(Boolean).join(': '),
        },
        {
          label: 'In its currency',
          isNumber: true,
          cell: (line) =>
            line.currency !== currency && (
              <Money minor={line.amountMinor} currency={line.currency} />
            ),
        },
        { label: 'Debit', isNumber: true, cell: ({ baseMinor }) => side(baseMinor) },
        { label: 'Credit', isNumber: true, cell: ({ baseMinor }) => side(-baseMinor) },
      ]}
    />
  )
}
