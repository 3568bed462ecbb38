import { Badge } from '../../kernel/web/components.tsx'
import { choiceField } from '../batches/chosen-documents.ts'
import { Day } from '../components/day.tsx'
import { Money } from '../components/money.tsx'
import { type Column, Table } from '../components/table.tsx'
import type { Visit } from '../shell/visit.ts'
import { type DocumentPlace, type FoundPaper, paperHref, paperNames } from './document-place.ts'
import { PaperStatus } from './paper-status.tsx'

type TableProps = {
  visit: Visit
  place: DocumentPlace
  papers: readonly FoundPaper[]
  // Whether rows can be chosen, for an act on many.
  isChosen?: boolean
}

export function DocumentTable({ visit, place, papers, isChosen }: TableProps) {
  const hasDue = papers.some(({ dueMinor }) => dueMinor !== null)
  const columns: Column<FoundPaper>[] = [
    { label: 'Number', cell: ({ number, kind }) => numberOf(number, kind) },
    {
      label: 'Contact',
      cell: ({ contactName, reference }) => (
        <span>
          {contactName}
          {reference !== null && <span class="quiet d-block">{reference}</span>}
        </span>
      ),
    },
    {
      label: 'Status',
      // One badge, so that every row has one line.
      cell: ({ kind, status, isOverdue }) =>
        isOverdue ? (
          <Badge tone="bad">
            {status === 'partially_paid' ? 'Partly paid, overdue' : 'Overdue'}
          </Badge>
        ) : (
          <PaperStatus kind={kind} status={status} />
        ),
    },
    { label: 'Date', cell: ({ date }) => <Day of={date} /> },
    { label: place.untilLabel, cell: ({ untilDate }) => <Day of={untilDate} /> },
    {
      label: 'Total',
      isNumber: true,
      cell: ({ totalMinor, currency }) => <Money minor={totalMinor} currency={currency} />,
    },
    ...(hasDue ? [dueColumn] : []),
  ]
  return (
    <Table
      caption={place.title}
      columns={columns}
      rows={papers}
      keyOf={({ id }) => id}
      hrefOf={(paper) => paperHref(visit, paper)}
      {...(isChosen && { choice })}
    />
  )
}

const choice = {
  name: choiceField,
  labelOf: ({ kind, number, contactName }: FoundPaper) =>
    `Choose ${number ?? `the ${paperNames[kind].toLowerCase()} draft`} of ${contactName}`,
}

// Drafts have no number. Invoices, bills and quotes are what the lists are about.
export function numberOf(number: string | null, kind: FoundPaper['kind']) {
  const isUsual = kind === 'invoice' || kind === 'bill' || kind === 'quote'
  return (
    <span class="text-nowrap">
      {number ?? 'Draft'}
      {!isUsual && <span class="quiet d-block">{paperNames[kind]}</span>}
    </span>
  )
}

const dueColumn: Column<FoundPaper> = {
  label: 'Open',
  isNumber: true,
  cell: ({ dueMinor, currency }) =>
    dueMinor ? <Money minor={dueMinor} currency={currency} /> : '–',
}
