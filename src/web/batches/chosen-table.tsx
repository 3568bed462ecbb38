import type { PreviewedDocument } from '../../books/batches/preview-batch.ts'
import { Day } from '../components/day.tsx'
import { Money } from '../components/money.tsx'
import { type Column, Table } from '../components/table.tsx'
import { paperHref } from '../documents/document-place.ts'
import { numberOf } from '../documents/document-table.tsx'
import { PaperStatus } from '../documents/paper-status.tsx'
import type { Visit } from '../shell/visit.ts'

type TableProps = {
  visit: Visit
  caption: string
  documents: readonly PreviewedDocument[]
  isPaid?: boolean
  hasReasons?: boolean
}

export function ChosenTable({ visit, caption, documents, isPaid, hasReasons }: TableProps) {
  const columns: Column<PreviewedDocument>[] = [
    { label: 'Number', cell: ({ number, kind }) => numberOf(number, kind) },
    { label: 'Contact', cell: ({ contactName }) => contactName },
    { label: 'Status', cell: ({ kind, status }) => <PaperStatus kind={kind} status={status} /> },
    { label: 'Date', cell: ({ date }) => <Day of={date} /> },
    {
      label: isPaid ? 'Due' : 'Total',
      isNumber: true,
      cell: ({ dueMinor, totalMinor, currency }) => (
        <Money minor={isPaid ? dueMinor : totalMinor} currency={currency} />
      ),
    },
    ...(hasReasons ? [{ label: 'Why', cell: ({ problem }: PreviewedDocument) => problem }] : []),
  ]
  return (
    <Table
      caption={caption}
      columns={columns}
      rows={documents}
      keyOf={({ id }) => id}
      hrefOf={(document) => paperHref(visit, document)}
    />
  )
}
