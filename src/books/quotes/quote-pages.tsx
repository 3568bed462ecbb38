// The hosted page on which a customer views a quote and accepts or declines it. It shows the frozen
// snapshot, exactly as it was sent. Works without JavaScript.
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import { parseHostedReference } from '../../kernel/basics/hosted-reference.ts'
import { isOneLine, withoutDirectionMarks } from '../../kernel/basics/one-line.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Brand } from '../../kernel/brand/brand.ts'
import { brandStylePath } from '../../kernel/brand/brand-colour.ts'
import { findBrand } from '../../kernel/brand/brand-store.ts'
import { runOperation } from '../../kernel/operations/run-operation.ts'
import { type Page, type PageAnswer, type PageRequest, redirectTo } from '../../kernel/web/page.ts'
import type { PayerTexts } from '../../payer-texts/english.ts'
import { keepLanguage, languageOf } from '../../payer-texts/payer-language.ts'
import type { BooksContext } from '../context.ts'
import { fileName } from '../documents/document-snapshot.ts'
import { drawPdf } from '../documents/pdf/drawing.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { decideQuote } from './decide-quote.ts'
import { type Quote, quotePath } from './quote.ts'
import { type QuoteForm, QuoteOffer, type ShownQuote } from './quote-offer.tsx'
import { findQuoteByPublicId } from './quote-store.ts'

const path = '/quotes/:reference'
// The URL is a secret, so search engines must not index it.
const privateHeaders = { 'x-robots-tag': 'noindex' }
const nameMax = 160
const reasonMax = 500

export function quotePages(context: BooksContext): Page[] {
  return [
    {
      method: 'GET',
      path,
      hosted: 'plain',
      handle: async (request) => show(context, request, await open(context, request)),
    },
    { method: 'POST', path, hosted: 'plain', handle: (request) => answer(context, request) },
    {
      method: 'GET',
      path: `${path}/pdf`,
      hosted: 'costly',
      handle: async (request) => pdf(context, await open(context, request), request),
    },
  ]
}

type Opened = {
  readonly tenant: Tenant
  readonly quote: Quote & { publicId: string; snapshot: NonNullable<Quote['snapshot']> }
  readonly isPast: boolean
  readonly brand: Brand
}

async function open(context: BooksContext, { url }: PageRequest): Promise<Opened> {
  const hosted = parseHostedReference(url.pathname.split('/')[2] ?? '')
  const { sql } = context.database
  const quote = hosted && (await findQuoteByPublicId(sql, hosted.tenant, hosted.id))
  if (!hosted || !quote?.snapshot || quote.publicId === null) throw notFound('quote')
  const { tenant } = hosted
  const { snapshot, publicId } = quote
  const [organisation, brand] = await Promise.all([
    findOrganisation(sql, tenant),
    findBrand(sql, tenant.businessId),
  ])
  const isPast = quote.expiryDate < today(organisation, context.clock.now())
  return { tenant, quote: { ...quote, snapshot, publicId }, isPast, brand }
}

// Headers are ASCII only, but the number of a quote may contain any letter.
async function pdf(
  context: BooksContext,
  { tenant, quote: { snapshot } }: Opened,
  { signal }: PageRequest,
): Promise<PageAnswer> {
  const name = encodeURIComponent(fileName(snapshot.number ?? 'quote'))
  const headers = {
    ...privateHeaders,
    'content-type': 'application/pdf',
    'content-disposition': `inline; filename="quote.pdf"; filename*=UTF-8''${name}`,
  }
  return { status: 200, headers, body: await drawPdf(context, tenant, snapshot, { signal }) }
}

async function answer(context: BooksContext, request: PageRequest): Promise<PageAnswer> {
  const opened = await open(context, request)
  const decision = readDecision(request.form, languageOf(request).texts)
  if ('problems' in decision) return show(context, request, opened, decision)
  const { tenant, quote } = opened
  const actor = { ...tenant, kind: 'system', name: 'quote page' } as const
  const input = { id: quote.id, publicId: quote.publicId, ...decision }
  try {
    await runOperation(decideQuote, context, actor, input)
  } catch (error) {
    // The quote has changed meanwhile; the page shows its state.
    if (!(error instanceof Fault && error.kind === 'conflict')) throw error
  }
  return redirectTo(request.url.pathname)
}

type Decision = Pick<Parameters<typeof decideQuote.run>[2], 'decision' | 'name' | 'reason'>

function readDecision(form: URLSearchParams, { quote }: PayerTexts): Decision | QuoteForm {
  const name = withoutDirectionMarks(form.get('name') ?? '').trim()
  const reason = withoutDirectionMarks(form.get('reason') ?? '').trim()
  const isDecline = form.get('decision') === 'decline'
  const problems = {
    ...(name === '' && !isDecline && { name: quote.nameMissing }),
    ...((!isOneLine(name) || [...name].length > nameMax) && {
      name: quote.tooLong(nameMax),
    }),
    ...((!isOneLine(reason) || [...reason].length > reasonMax) && {
      reason: quote.tooLong(reasonMax),
    }),
  }
  if (Object.keys(problems).length > 0) return { name, reason, problems }
  if (!isDecline) return { decision: 'accept', name, reason: null }
  return { decision: 'decline', name: name || null, reason: reason || null }
}

function show(
  { publicUrl }: BooksContext,
  request: PageRequest,
  { tenant, quote, isPast, brand }: Opened,
  form?: QuoteForm,
): PageAnswer {
  const { snapshot } = quote
  const language = languageOf(request)
  const { texts, locale } = language
  const shown: ShownQuote = {
    snapshot,
    state: quote.status === 'sent' && isPast ? 'expired' : stateOf(quote),
    decidedByName: quote.decidedByName,
    pdfPath: `${quotePath(tenant, quote.publicId)}/pdf`,
    isSandbox: tenant.environment === 'test',
    businessId: tenant.businessId,
    brand,
    language,
    path: request.url.pathname,
  }
  const hasProblems = form !== undefined
  const title = texts.quote.titleFrom(snapshot.number ?? '', snapshot.organisation.name)
  return {
    status: hasProblems ? 422 : 200,
    headers: { ...privateHeaders, 'set-cookie': keepLanguage(request, publicUrl) },
    title: `${hasProblems ? `${texts.quote.error} ` : ''}${title}`,
    language: locale,
    isBare: true,
    ...(brand.colour !== null && { stylePath: brandStylePath(brand.colour) }),
    body: <QuoteOffer shown={shown} form={form ?? { name: '', reason: '', problems: {} }} />,
  }
}

// Customers don't see whether an invoice was created.
function stateOf({ status }: Quote): ShownQuote['state'] {
  if (status === 'invoiced') return 'accepted'
  return status === 'draft' ? 'expired' : status
}
