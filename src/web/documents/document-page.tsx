// One document with everything about it: amounts, lines, what settled it, what was booked, what
// happened, and what this person can do with it now.
import { presentDocumentWithLines } from '../../books/documents/document-record.ts'
import type { DocumentSide } from '../../books/documents/document-status.ts'
import { getDocumentFile } from '../../books/documents/get-document-file.ts'
import { type DocumentStory, getDocumentStory } from '../../books/documents/get-document-story.ts'
import { Alert, Badge, Card } from '../../kernel/web/components.tsx'
import { CopyLine } from '../components/copy-line.tsx'
import { Day, formatDay } from '../components/day.tsx'
import { Facts } from '../components/facts.tsx'
import { ForDevelopers } from '../components/for-developers.tsx'
import { formatMoney, Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Timeline } from '../components/timeline.tsx'
import { stepText } from '../settings/reminder-words.ts'
import { type AppRoute, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { shownFile } from './attachment-forms.tsx'
import { attachmentsCard } from './attachments.tsx'
import { DocumentActions } from './document-actions.tsx'
import { documentHappenings } from './document-happenings.tsx'
import { paperHref, paperNames, sidePaths } from './document-place.ts'
import { EntryTable } from './entry-table.tsx'
import { LineTable, TotalsTable } from './line-table.tsx'
import { PaperStatus } from './paper-status.tsx'
import { PdfPreview } from './pdf-preview.tsx'
import { ReminderStops } from './reminder-stops.tsx'
import { Settlements } from './settlements.tsx'

export const documentPages: AppRoute[] = [
  ...documentPage('sales'),
  ...documentPage('purchases'),
  ...filePage(),
]

function documentPage(side: DocumentSide): AppRoute[] {
  return definePage({
    path: `${sidePaths[side]}/:id`,
    operation: getDocumentStory,
    async show(visit) {
      const story = await visit.run(getDocumentStory, { id: visit.param('id'), side })
      const { document, contact } = story
      const name = paperNames[document.kind]
      const title = document.number ?? `${name} draft`
      return {
        title: `${title} · ${contact.name}`,
        content: (
          <>
            <PageHeader
              back={{
                href: visit.href(sidePaths[side]),
                text: side === 'sales' ? 'Invoices' : 'Bills',
              }}
              title={
                <>
                  <span class="text-nowrap">{title}</span>{' '}
                  <PaperStatus kind={document.kind} status={document.status} />
                  {story.stops.some(({ kind }) => kind === 'disputed') && (
                    <>
                      {' '}
                      <Badge tone="unsure">Disputed</Badge>
                    </>
                  )}
                  {story.isOverdue && (
                    <>
                      {' '}
                      <Badge tone="bad">Overdue</Badge>
                    </>
                  )}
                </>
              }
              lead={
                <>
                  {name} {side === 'sales' ? 'to' : 'from'}{' '}
                  <a href={visit.href(sidePaths[side], { contact: contact.id })}>{contact.name}</a>
                </>
              }
              actions={<DocumentActions visit={visit} story={story} />}
            />
            {document.returnReason !== null && document.status === 'draft' && (
              <div class="mb-3">
                <Alert tone="unsure">
                  <strong>Returned:</strong> {document.returnReason}
                </Alert>
              </div>
            )}
            <Charges visit={visit} story={story} />
            <ReminderStops visit={visit} story={story} />
            <div class="stack">
              <div class="split">
                <Amounts story={story} />
                <Details visit={visit} story={story} />
              </div>
              <section>
                <h2>Lines</h2>
                <LineTable story={story} />
                <TotalsTable {...story} document={document} />
              </section>
              {side === 'sales' && <PdfPreview href={visit.href(`/invoices/${document.id}/pdf`)} />}
              {await attachmentsCard(visit, sidePaths[side], document.id)}
              <Settlements visit={visit} story={story} />
              <EntryTable visit={visit} story={story} />
              <Card title="Timeline">
                <Timeline happenings={documentHappenings(visit, story)} zone={visit.zone} />
              </Card>
              <ForDevelopers
                visit={visit}
                path={`/books/api/v1${sidePaths[side]}/${document.id}`}
                record={presentDocumentWithLines(document)}
              />
            </div>
          </>
        ),
      }
    },
  })
}

function Charges({ visit, story: { charges } }: { visit: Visit; story: DocumentStory }) {
  if (charges.length === 0) return null
  return (
    <div class="mb-3">
      <Alert tone="plain">
        <strong>A customer is paying it online.</strong>{' '}
        {charges.map(({ paymentId, amountMinor, currency }) => (
          <a class="me-2" key={paymentId} href={visit.href(`/payments/${paymentId}`)}>
            {formatMoney(amountMinor, currency)}
          </a>
        ))}
      </Alert>
    </div>
  )
}

function Amounts({ story: { document, dueMinor } }: { story: DocumentStory }) {
  const { currency, totalMinor, paidMinor, creditedMinor, writtenOffMinor } = document
  const isCredit = document.kind === 'credit_note' || document.kind === 'supplier_credit'
  const part = (label: string, minor: bigint) =>
    minor !== 0n && (
      <div key={label}>
        <dt>{label}</dt>
        <dd>
          <Money minor={minor} currency={currency} />
        </dd>
      </div>
    )
  const isInBooks = document.postedAt !== null && document.voidedAt === null
  return (
    <div class="card tile">
      <div class="card-body">
        <p class="tile-label">{isInBooks ? (isCredit ? 'Not used yet' : 'Due') : 'Total'}</p>
        <p class="tile-figure">
          <Money minor={isInBooks ? dueMinor : totalMinor} currency={currency} />
        </p>
        <dl class="tile-parts">
          {isInBooks && part('Total', totalMinor)}
          {part(isCredit ? 'Refunded' : 'Paid', paidMinor)}
          {part(isCredit ? 'Used' : 'Credited', creditedMinor)}
          {part('Written off', writtenOffMinor)}
        </dl>
      </div>
    </div>
  )
}

function Details({ visit, story }: { visit: Visit; story: DocumentStory }) {
  const { document, organisation, related, quote, schedule } = story
  const { baseCurrency } = organisation
  const credited = related.get(document.creditsDocumentId ?? '')
  const credits = [...related.values()].filter((one) => one.creditsDocumentId === document.id)
  return (
    <Card title="Details">
      <Facts
        facts={[
          ['Date', <Day of={document.date} />],
          document.kind !== 'credit_note' && ['Due', <Day of={document.dueDate} />],
          story.nextReminder && [
            'Next reminder',
            <>
              <Day of={story.nextReminder.day} /> ({stepText(story.nextReminder.step)})
            </>,
          ],
          document.reference !== null && ['Reference', document.reference],
          document.currency !== baseCurrency && [
            'Rate',
            document.fxRate === null
              ? `No rate of ${document.currency} is known for ${formatDay(document.date)}.`
              : `1 ${document.currency} = ${document.fxRate} ${baseCurrency}`,
          ],
          credited !== undefined && [
            'Credits',
            <a href={paperHref(visit, credited)}>{credited.number ?? 'a draft'}</a>,
          ],
          credits.length > 0 && [
            'Credited by',
            credits.map((one) => (
              <span class="d-block" key={one.id}>
                <a href={paperHref(visit, one)}>{one.number ?? 'a draft'}</a> (
                {formatMoney(one.totalMinor, one.currency)})
              </span>
            )),
          ],
          quote && [
            'Quote',
            <a href={paperHref(visit, { kind: 'quote', id: quote.id })}>{quote.number}</a>,
          ],
          schedule && [
            'Schedule',
            <a href={visit.href(`/recurring/${schedule.scheduleId}`)}>{schedule.name}</a>,
          ],
          document.notes !== null && ['Notes', <span class="pre-line">{document.notes}</span>],
        ]}
      />
      {document.hostedUrl !== undefined && (
        <div class="mt-3">
          <p class="mb-1">
            <a href={document.hostedUrl} data-turbo="false" target="_blank" rel="noopener">
              The customer’s page
            </a>
            {story.viewedAt ? ' was opened by the customer.' : ' was not opened yet.'}
          </p>
          <CopyLine
            id="invoice-url"
            label="Address of the customer’s page"
            text={document.hostedUrl}
          />
        </div>
      )}
    </Card>
  )
}

function filePage(): AppRoute[] {
  return definePage({
    path: '/invoices/:id/pdf',
    operation: getDocumentFile,
    async show(visit) {
      const { filename, content } = await visit.run(getDocumentFile, { id: visit.param('id') })
      return shownFile(filename, 'application/pdf', content)
    },
  })
}
