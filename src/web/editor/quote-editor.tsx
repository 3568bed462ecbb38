// The editor of quotes.
import { getLead } from '../../books/leads/get-lead.ts'
import { createQuote } from '../../books/quotes/create-quote.ts'
import { editQuote } from '../../books/quotes/edit-quote.ts'
import { getQuote } from '../../books/quotes/get-quote.ts'
import { paperHref, quotesPlace } from '../documents/document-place.ts'
import { leadHref } from '../leads/lead-looks.tsx'
import { QuotedLead } from '../leads/quoted-lead.tsx'
import { type AppRoute, defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { autosaveRoute } from './autosave.ts'
import { OtherVersion } from './other-version.tsx'
import { readInput, showEditor } from './show-editor.tsx'

const { path } = quotesPlace
const looks = { side: 'sales', untilLabel: 'Valid until', hasRate: false } as const

async function readQuoteInput(visit: Visit, form: URLSearchParams) {
  const { state, input } = await readInput(visit, 'sales', form)
  const leadId = form.get('leadId')
  return {
    ...input,
    ...(state.until.trim() !== '' && { expiryDate: state.until }),
    ...(leadId && { leadId }),
  }
}

const done = (visit: Visit, { id }: { id: string }) => ({
  location: paperHref(visit, { kind: 'quote', id }),
  message: 'The draft is saved.',
})

const newForm = defineForm({
  path: `${path}/new`,
  operation: createQuote,
  input: readQuoteInput,
  async show(visit, draft) {
    const leadId = draft.values.get('leadId')
    const lead = leadId ? await visit.run(getLead, { id: leadId }) : undefined
    return showEditor(visit, draft, {
      ...looks,
      title: 'New quote',
      back: lead
        ? { href: leadHref(visit, lead), text: lead.name }
        : { href: visit.href(path), text: 'Quotes' },
      hidden: lead ? { leadId: lead.id } : {},
      autosaveHref: undefined,
      ...(lead && { notice: <QuotedLead {...{ visit, lead }} /> }),
    })
  },
  done,
})

function readEdit(visit: Visit, form: URLSearchParams) {
  const seenAt = form.get('over') ?? form.get('version')
  return { id: visit.param('id'), ...(seenAt && { seenAt }) }
}

const editForm = defineForm({
  path: `${path}/:id/edit`,
  operation: editQuote,
  input: async (visit, form) => ({
    ...readEdit(visit, form),
    ...(await readQuoteInput(visit, form)),
  }),
  async show(visit, draft) {
    const quote = await visit.run(getQuote, { id: visit.param('id') })
    const current = quote.updatedAt.toISOString()
    const seen = draft.values.get('version')
    const isOther = seen !== null && seen !== current
    const base = `${path}/${quote.id}`
    return showEditor(visit, draft, {
      ...looks,
      title: 'Edit quote draft',
      back: { href: visit.href(base), text: 'Quote' },
      hidden: { version: seen ?? current, ...(quote.leadId !== null && { leadId: quote.leadId }) },
      autosaveHref: isOther ? undefined : visit.href(`${base}/autosave`),
      stored: { paper: quote, until: quote.expiryDate, fxRate: null },
      ...(isOther && {
        notice: <OtherVersion paper={quote} freshHref={visit.href(`${base}/edit`)} />,
        buttons: (
          <button class="btn" type="submit" name="over" value={current}>
            Replace it with mine
          </button>
        ),
      }),
    })
  },
  done,
})

const autosave = autosaveRoute(`${path}/:id/autosave`, editQuote, async (visit, form) => {
  const input = { ...readEdit(visit, form), ...(await readQuoteInput(visit, form)) }
  const { id, updatedAt } = await visit.run(editQuote, input)
  return {
    version: updatedAt.toISOString(),
    editHref: visit.href(`${path}/${id}/edit`),
    autosaveHref: visit.href(`${path}/${id}/autosave`),
    cancelHref: visit.href(`${path}/${id}`),
  }
})

export const quoteEditors: AppRoute[] = [...newForm, ...editForm, autosave]
