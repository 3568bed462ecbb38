// The journal entries about a document, its payments and its credits.
import type { DocumentStory } from '../../books/documents/get-document-story.ts'
import { Day } from '../components/day.tsx'
import { Money } from '../components/money.tsx'
import { type Column, Table } from '../components/table.tsx'
import type { Visit } from '../shell/visit.ts'

type EntryLine = DocumentStory['entryLines'][number]

type TableProps = { visit: Visit; story: DocumentStory }

export function EntryTable({ visit, story }: TableProps) {
  const { entryLines, organisation } = story
  if (entryLines.length === 0) return null
  const amount = (minor: bigint, isShown: boolean) =>
    isShown && <Money minor={minor < 0n ? -minor : minor} currency={organisation.baseCurrency} />
  const isForeign = entryLines.some(({ currency }) => currency !== organisation.baseCurrency)
  const foreign: Column<EntryLine> = {
    label: 'In its currency',
    isNumber: true,
    cell: ({ currency, amountMinor }) =>
      currency !== organisation.baseCurrency && <Money minor={amountMinor} currency={currency} />,
  }
  return (
    <section id="entries">
      <h2>Journal entries</h2>
      <Table
        caption="Journal entries"
        rows={entryLines}
        keyOf={({ sequence, position }) => `${sequence}-${position}`}
        columns={[
          {
            label: 'Entry',
            cell: ({ sequence, date, description, position }) =>
              position === 1 ? (
                <span>
                  <a href={visit.href(`/journal/${sequence}`)}>{`${sequence}`}</a> ·{' '}
                  <Day of={date} />
                  <br />
                  <span class="quiet">{description}</span>
                </span>
              ) : (
                ''
              ),
          },
          {
            label: 'Account',
            cell: ({ accountCode, accountName }) => `${accountCode} ${accountName}`,
          },
          ...(isForeign ? [foreign] : []),
          {
            label: 'Debit',
            isNumber: true,
            cell: ({ baseMinor }) => amount(baseMinor, baseMinor > 0n),
          },
          {
            label: 'Credit',
            isNumber: true,
            cell: ({ baseMinor }) => amount(baseMinor, baseMinor < 0n),
          },
        ]}
      />
    </section>
  )
}
