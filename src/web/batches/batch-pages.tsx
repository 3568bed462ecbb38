// How far an act on many documents is, what became of each, and the latest of them. The script
// refreshes the page while the job works; it can be left and opened again.
import { batchDocumentsMax, type NamedBatchDocument } from '../../books/batches/batch.ts'
import { type BatchStory, getBatch } from '../../books/batches/get-batch.ts'
import { type ListedBatch, listBatches } from '../../books/batches/list-batches.ts'
import { Badge, type Tone } from '../../kernel/web/components.tsx'
import { Moment } from '../components/moment.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { type Column, EmptyState, Table } from '../components/table.tsx'
import { paperHref, placeOfSide, sidePaths } from '../documents/document-place.ts'
import { numberOf } from '../documents/document-table.tsx'
import { type AppRoute, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { bulkLooks } from './bulk-acts.ts'
import { choiceField } from './chosen-documents.ts'

export const batchPages: AppRoute[] = [...listPage(), ...batchPage()]

function listPage(): AppRoute[] {
  return definePage({
    path: '/batches',
    operation: listBatches,
    async show(visit) {
      const batches = await visit.run(listBatches, {})
      return {
        title: 'Bulk acts',
        content: (
          <>
            <PageHeader
              title="Bulk acts"
              lead="What was done to many documents at once, newest first."
              back={{ href: visit.href('/invoices'), text: 'Invoices' }}
            />
            {batches.length > 0 ? (
              <Table
                caption="Bulk acts"
                columns={listColumns(visit)}
                rows={batches}
                keyOf={({ id }) => id}
                hrefOf={({ id }) => visit.href(`/batches/${id}`)}
              />
            ) : (
              <EmptyState title="No bulk acts yet">
                Choose several invoices or bills in their list, and issue, send or pay them at once.
              </EmptyState>
            )}
          </>
        ),
      }
    },
  })
}

function listColumns({ zone }: Visit): Column<ListedBatch>[] {
  return [
    {
      label: 'What',
      cell: ({ act, documentCount }) => bulkLooks[act].titleOf(documentCount),
    },
    { label: 'Result', cell: (batch) => resultText(batch) },
    { label: 'By', cell: ({ personName }) => personName ?? 'A person who has left' },
    { label: 'When', cell: ({ createdAt }) => <Moment at={createdAt} zone={zone} /> },
  ]
}

type Counted = Pick<ListedBatch, 'act' | 'documentCount' | 'doneCount' | 'refusedCount'> & {
  readonly finishedAt: Date | null
}

export function resultText({ act, documentCount, doneCount, refusedCount, finishedAt }: Counted) {
  const ended = doneCount + refusedCount
  if (!finishedAt) return `${ended} of ${documentCount}`
  const done = `${bulkLooks[act].done}: ${doneCount}`
  return refusedCount === 0 ? done : `${done} · refused: ${refusedCount}`
}

function batchPage(): AppRoute[] {
  return definePage({
    path: '/batches/:id',
    operation: getBatch,
    async show(visit) {
      const batch = await visit.run(getBatch, { id: visit.param('id') })
      const { act, side, documents, documentCount, finishedAt } = batch
      const doneCount = documents.filter(({ status }) => status === 'done').length
      const refused = documents.filter(({ status }) => status === 'refused')
      const title = bulkLooks[act].titleOf(documentCount)
      const place = placeOfSide(side)
      return {
        title,
        content: (
          <>
            <PageHeader
              title={title}
              lead={
                <>
                  Started by {batch.personName ?? 'a person who has left'},{' '}
                  <Moment at={batch.createdAt} zone={visit.zone} />
                </>
              }
              back={{ href: visit.href(place.path), text: place.title }}
            />
            <div class="stack">
              <Progress
                visit={visit}
                batch={{ ...batch, doneCount, refusedCount: refused.length }}
              />
              {finishedAt && refused.length > 0 && <TryAgain visit={visit} batch={batch} />}
              <Table
                caption="Documents"
                columns={documentColumns(batch)}
                // What needs a look comes first.
                rows={[...refused, ...documents.filter(({ status }) => status !== 'refused')]}
                keyOf={({ documentId }) => documentId}
                hrefOf={({ documentId, kind }) => paperHref(visit, { id: documentId, kind })}
              />
            </div>
          </>
        ),
      }
    },
  })
}

function Progress({ visit, batch }: { visit: Visit; batch: Counted & { readonly id: string } }) {
  const { documentCount, doneCount, refusedCount, finishedAt } = batch
  return (
    <div class="card" {...(!finishedAt && { 'data-working': '' })}>
      <div class="card-body" role="status">
        <p class="mb-2">
          <strong>{resultText(batch)}</strong>
        </p>
        <progress
          class="work-progress"
          max={documentCount}
          value={doneCount + refusedCount}
          aria-label="Progress"
        />
        {!finishedAt && (
          <p class="quiet mt-2 mb-0">
            You can leave this page; the work goes on.{' '}
            <a href={visit.href(`/batches/${batch.id}`)}>Refresh</a>
          </p>
        )}
      </div>
    </div>
  )
}

// Leads to the same question again, with the refused ones.
function TryAgain({ visit, batch: { act, side, documents } }: { visit: Visit; batch: BatchStory }) {
  const refused = documents.filter(({ status }) => status === 'refused')
  // Each is a part of the address.
  if (refused.length > batchDocumentsMax / 10) return null
  const query = new URLSearchParams(refused.map(({ documentId }) => [choiceField, documentId]))
  const path = visit.href(`${sidePaths[side]}/bulk/${bulkLooks[act].slug}`)
  return (
    <p class="mb-0">
      <a class="btn" href={`${path}?${query}`}>
        Try the refused ones again
      </a>
    </p>
  )
}

const statusLooks: Readonly<Record<NamedBatchDocument['status'], readonly [Tone, string]>> = {
  waiting: ['plain', 'Waiting'],
  done: ['good', 'Done'],
  refused: ['bad', 'Refused'],
}

function documentColumns({ act }: BatchStory): Column<NamedBatchDocument>[] {
  return [
    { label: 'Number', cell: ({ number, kind }) => numberOf(number, kind) },
    { label: 'Contact', cell: ({ contactName }) => contactName },
    {
      label: act === 'record_payment' ? 'Amount' : 'Total',
      isNumber: true,
      cell: ({ amountMinor, totalMinor, currency }) => (
        <Money minor={amountMinor ?? totalMinor} currency={currency} />
      ),
    },
    {
      label: 'Result',
      cell: ({ status, reason }) => {
        const [tone, label] = statusLooks[status]
        return (
          <span>
            <Badge tone={tone}>{status === 'done' ? bulkLooks[act].done : label}</Badge>
            {reason !== null && <span class="d-block">{readableReason(reason)}</span>}
          </span>
        )
      },
    },
  ]
}

// The operations name fields of the interface.
function readableReason(reason: string): string {
  return reason.replace(/, or send confirms_old_date: true/, '')
}
