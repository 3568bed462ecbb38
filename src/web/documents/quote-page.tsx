// One quote, and what can be done with it: send, revise, invoice.
import { createQuote } from '../../books/quotes/create-quote.ts'
import { editQuote } from '../../books/quotes/edit-quote.ts'
import { getQuoteFile } from '../../books/quotes/get-quote-file.ts'
import { getQuoteStory, type QuoteStory } from '../../books/quotes/get-quote-story.ts'
import { invoiceQuote } from '../../books/quotes/invoice-quote.ts'
import type { Quote } from '../../books/quotes/quote.ts'
import { reviseQuote } from '../../books/quotes/revise-quote.ts'
import { sendQuote } from '../../books/quotes/send-quote.ts'
import { Card } from '../../kernel/web/components.tsx'
import { ActionButton } from '../components/app-form.tsx'
import { CopyLine } from '../components/copy-line.tsx'
import { Day } from '../components/day.tsx'
import { eventHappenings } from '../components/event-happenings.tsx'
import { Facts } from '../components/facts.tsx'
import { formPage } from '../components/form-page.tsx'
import { formatMoney, Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Timeline } from '../components/timeline.tsx'
import { type AppRoute, defineAction, defineForm, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { CheckField } from './act-form.tsx'
import { shownFile } from './attachment-forms.tsx'
import { attachmentsCard } from './attachments.tsx'
import { copyLines } from './copy-lines.ts'
import { actHappening } from './document-happenings.tsx'
import { paperHref, quotesPlace } from './document-place.ts'
import { LineTable, TotalsTable } from './line-table.tsx'
import { PaperStatus } from './paper-status.tsx'
import { PdfPreview } from './pdf-preview.tsx'

const path = `${quotesPlace.path}/:id`

function quoteHref(visit: Visit, id = visit.param('id')): string {
  return paperHref(visit, { kind: 'quote', id })
}

const quotePage = definePage({
  path,
  operation: getQuoteStory,
  async show(visit) {
    const story = await visit.run(getQuoteStory, { id: visit.param('id') })
    const { quote, contact } = story
    const title = quote.number ?? 'Quote draft'
    return {
      title: `${title} · ${contact.name}`,
      content: (
        <>
          <PageHeader
            back={{ href: visit.href(quotesPlace.path), text: 'Quotes' }}
            title={
              <>
                <span class="text-nowrap">{title}</span>{' '}
                <PaperStatus kind="quote" status={quote.status} />
              </>
            }
            lead={`Quote to ${contact.name}`}
            actions={<QuoteActions visit={visit} quote={quote} />}
          />
          <div class="stack">
            <div class="split">
              <div class="card tile">
                <div class="card-body">
                  <p class="tile-label">Total</p>
                  <p class="tile-figure mb-0">
                    <Money minor={quote.totalMinor} currency={quote.currency} />
                  </p>
                </div>
              </div>
              <Details visit={visit} story={story} />
            </div>
            <section>
              <h2>Lines</h2>
              <LineTable story={{ ...story, document: quote, lines: quote.lines }} />
              <TotalsTable document={quote} lines={quote.lines} />
            </section>
            <PdfPreview href={`${quoteHref(visit)}/pdf`} />
            {await attachmentsCard(visit, '/quotes', quote.id)}
            <Card title="Timeline">
              <Timeline
                happenings={[
                  ...story.acts.map((act) => actHappening(visit, act)),
                  ...eventHappenings(visit, 'books', story.events),
                ]}
                zone={visit.zone}
              />
            </Card>
          </div>
        </>
      ),
    }
  },
})

const filePage = definePage({
  path: `${path}/pdf`,
  operation: getQuoteFile,
  async show(visit) {
    const { filename, content } = await visit.run(getQuoteFile, { id: visit.param('id') })
    return shownFile(filename, 'application/pdf', content)
  },
})

function Details({ visit, story: { quote, url, invoice } }: { visit: Visit; story: QuoteStory }) {
  return (
    <Card title="Details">
      <Facts
        facts={[
          ['Date', <Day of={quote.date} />],
          ['Valid until', <Day of={quote.expiryDate} />],
          quote.reference !== null && ['Reference', quote.reference],
          quote.decidedByName !== null && ['Decided by', quote.decidedByName],
          quote.declineReason !== null && ['Reason', quote.declineReason],
          invoice !== undefined && [
            'Invoice',
            <a href={paperHref(visit, invoice)}>{invoice.number ?? 'Invoice draft'}</a>,
          ],
          quote.notes !== null && ['Notes', <span class="pre-line">{quote.notes}</span>],
        ]}
      />
      {url !== null && (
        <>
          <p class="mb-1">The customer decides on this page:</p>
          <CopyLine id="quote-url" label="Address of the quote" text={url} />
        </>
      )}
    </Card>
  )
}

function QuoteActions({ visit, quote }: { visit: Visit; quote: Quote }) {
  const { status, id } = quote
  const action = (slug: string) => visit.href(`${quotesPlace.path}/${id}/${slug}`)
  const button = (slug: string, label: string) => (
    <ActionButton action={action(slug)} token={visit.context.ids.uuid()} label={label} />
  )
  return (
    <>
      {status === 'draft' && visit.may(editQuote) && (
        <a class="btn" href={action('edit')}>
          Edit
        </a>
      )}
      {status === 'draft' && visit.may(sendQuote) && (
        <a class="btn btn-primary" href={action('send')}>
          Send
        </a>
      )}
      {status === 'accepted' && visit.may(invoiceQuote) && button('invoice', 'Make invoice')}
      {['sent', 'declined', 'expired'].includes(status) &&
        visit.may(reviseQuote) &&
        button('revise', 'Revise')}
      {visit.may(createQuote) && button('duplicate', 'Duplicate')}
    </>
  )
}

const sendForm = defineForm({
  path: `${path}/send`,
  operation: sendQuote,
  input: (visit, form) => ({ id: visit.param('id'), isMailed: form.has('isMailed') }),
  async show(visit, draft) {
    const { quote, contact } = await visit.run(getQuoteStory, { id: visit.param('id') })
    const total = formatMoney(quote.totalMinor, quote.currency)
    const isFresh = !draft.values.has('form_token')
    return formPage({
      title: 'Send quote',
      back: { href: quoteHref(visit), text: 'Quote' },
      draft,
      submit: 'Send quote',
      children: (
        <>
          <p>
            {contact.name} can accept the offer over {total} until <Day of={quote.expiryDate} />.
          </p>
          <CheckField
            draft={draft}
            name="isMailed"
            label={
              contact.email === null
                ? 'Mail it'
                : `Mail the address of the page to ${contact.email}`
            }
            hint="Otherwise, pass the address on yourself."
            initial={isFresh && contact.email !== null}
          />
        </>
      ),
    })
  },
  done: (visit) => ({ location: quoteHref(visit), message: 'The quote is sent.' }),
})

const reviseAction = defineAction({
  path: `${path}/revise`,
  operation: reviseQuote,
  page: quoteHref,
  input: (visit) => ({ id: visit.param('id') }),
  done: (visit) => ({
    location: quoteHref(visit),
    message: 'The quote is a draft again. Its old page no longer works.',
  }),
})

const invoiceAction = defineAction({
  path: `${path}/invoice`,
  operation: invoiceQuote,
  page: quoteHref,
  input: (visit) => ({ id: visit.param('id') }),
  done: (visit, invoice) => ({
    location: paperHref(visit, invoice),
    message: 'This is the invoice, a draft.',
  }),
})

const duplicateAction = defineAction({
  path: `${path}/duplicate`,
  operation: createQuote,
  page: quoteHref,
  async input(visit) {
    const { quote } = await visit.run(getQuoteStory, { id: visit.param('id') })
    return {
      contactId: quote.contactId,
      currency: quote.currency,
      ...(quote.reference !== null && { reference: quote.reference }),
      ...(quote.notes !== null && { notes: quote.notes }),
      lines: copyLines(quote.lines),
    }
  },
  done: (visit, { id }) => ({
    location: quoteHref(visit, id),
    message: 'This is the copy, a draft.',
  }),
})

export const quotePages: AppRoute[] = [
  ...quotePage,
  ...filePage,
  ...sendForm,
  ...reviseAction,
  ...invoiceAction,
  ...duplicateAction,
]
