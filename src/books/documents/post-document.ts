// Posts a document: its number, its open item, its journal entry and, for sales, its snapshot and
// the job that draws its file, all in the caller's transaction, which has locked the document. The
// number counter and the head of the journal are locked last, so that others wait only briefly.
import type { Actor } from '../../kernel/auth/actor.ts'
import { Fault, invalidField } from '../../kernel/basics/fault.ts'
import { randomUuid } from '../../kernel/basics/id.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { enqueueJob } from '../../kernel/jobs/enqueue-job.ts'
import { isWithinRange } from '../../kernel/money/minor-units.ts'
import { accountProblem } from '../accounts/control-account.ts'
import type { Contact } from '../contacts/contact.ts'
import type { BooksContext } from '../context.ts'
import { requireRate, statedRateProblem } from '../currencies/require-rate.ts'
import { invoiceUrl } from '../invoice-pages/invoice-page.ts'
import { insertInvoicePage } from '../invoice-pages/invoice-page-store.ts'
import { requirePostingDate } from '../journal/date-limits.ts'
import { requireOpenDate } from '../journal/lock-dates.ts'
import { postEntry } from '../journal/post-entry.ts'
import { insertOpenItem } from '../payments/open-item-store.ts'
import { takesInvoicePayments } from '../service-money/service-settings.ts'
import { findServiceSettings } from '../service-money/service-settings-store.ts'
import { assignNumber, takeOwnNumber } from '../settings/assign-number.ts'
import { componentAccounts } from '../taxes/tax-code.ts'
import { type Locked, writeChange } from './change-document.ts'
import { type Document, documentEventType } from './document.ts'
import { type DocumentPosting, documentPosting } from './document-posting.ts'
import type { SnapshotPage } from './document-snapshot.ts'
import { type DocumentKind, isSale } from './document-status.ts'
import { drawDocumentJob } from './draw-document.ts'
import { findDocumentRate } from './find-document-rate.ts'
import { type DocumentFacts, freezeDocument, gatherFacts } from './gather-facts.ts'
import { requireComplete } from './line-completeness.ts'
import { requireStillCredited } from './require-credited.ts'
import { publishPaid } from './settle-document.ts'

export type Decision = {
  readonly verb: 'issue' | 'approve'
  // The decisions made with it.
  readonly changes: Partial<Pick<Document, 'submittedAt' | 'approvedAt' | 'approvedBy' | 'sentAt'>>
  // The rate that the person stated.
  readonly fxRate: string | undefined
  // Of an imported document, which has been issued elsewhere.
  readonly ownNumber?: string
}

export async function postDocument(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  locked: Locked,
  decision: Decision,
): Promise<Document> {
  const { document, organisation } = locked
  const facts = await gatherFacts(tx, actor, document)
  requirePostable(context, actor, locked, facts)
  await requireStillCredited(tx, actor, document)
  const { baseCurrency } = organisation
  const { currency, date } = document
  const fxRate =
    decision.fxRate ??
    (await findDocumentRate(tx, actor, document, baseCurrency)) ??
    (await requireRate(tx, actor, baseCurrency, currency, date))
  const posting = documentPosting(
    { ...document, fxRate, lines: facts.lines },
    {
      baseCurrency,
      controlAccountId: facts.controlAccount.id,
      taxAccountIds: new Map(facts.taxCodes.map((code) => [code.id, componentAccounts(code)])),
    },
  )
  requireRange(posting, baseCurrency)
  const page =
    document.kind === 'invoice' ? await makePage(tx, context, actor, document.id) : undefined
  // Sent together, so that we wait once.
  await Promise.all([
    insertOpenItem(tx, actor, {
      id: document.id,
      source: 'document',
      accountId: facts.controlAccount.id,
      contactId: document.contactId,
      currency,
      date,
      dueDate: document.dueDate,
      fxRate,
      amountMinor: posting.controlMinor,
      baseMinor: posting.controlBaseMinor,
      openMinor: posting.controlMinor,
      openBaseMinor: posting.controlBaseMinor,
    }),
    isSale(document.kind) && queueDrawing(tx, context, actor, document.id),
  ])
  context.failpoint('document.numbering')
  const taken =
    decision.ownNumber === undefined
      ? await assignNumber(tx, actor, document.kind, date)
      : await takeOwnNumber(tx, actor, document.kind, decision.ownNumber)
  const numbered = { ...document, ...taken, fxRate }
  const after = await writeChange(tx, context, actor, document, {
    verb: decision.verb,
    changes: {
      ...decision.changes,
      ...taken,
      fxRate,
      postedAt: context.clock.now(),
      ...(isSale(document.kind) && {
        snapshot: freezeDocument(context, actor, organisation, facts, numbered, page),
      }),
    },
    detail: { number: taken.number, ...(decision.fxRate !== undefined && { fxRate }) },
    eventType: documentEventType(document, { sale: 'issued', purchase: 'approved' }),
  })
  if (after.status === 'paid') await publishPaid(tx, context, actor, after)
  if (posting.lines.length > 0) {
    await postEntry(tx, context, actor, {
      kind: entryKind(document.kind),
      sourceId: document.id,
      reversesSequence: null,
      date,
      description: `${taken.number}, ${facts.contact.name}`,
      lines: posting.lines,
    })
  }
  context.failpoint('document.posting')
  return after
}

export function entryKind(kind: DocumentKind): string {
  return `${kind}.${isSale(kind) ? 'issued' : 'approved'}`
}

// A submitted document is posted at the rate that the approvers saw.
export function requireStatedRate(
  { document, organisation }: Locked,
  fxRate: string | undefined,
): void {
  if (fxRate === undefined) return
  const problem = statedRateProblem(fxRate, document.currency, organisation.baseCurrency)
  if (problem) throw invalidField('fxRate', problem)
  if (!document.submittedAt) return
  const message = 'It was submitted with its rate. To change the rate, return or reopen it first.'
  throw new Fault('conflict', message)
}

async function queueDrawing(
  tx: Tx,
  context: BooksContext,
  { businessId, environment }: Actor,
  documentId: string,
): Promise<void> {
  await enqueueJob(tx, context, drawDocumentJob, {
    tenant: { businessId, environment },
    payload: { documentId },
    uniqueKey: documentId,
  })
}

// The page on which the customer reads and pays it.
async function makePage(
  tx: Tx,
  { ids, clock, publicUrl }: BooksContext,
  actor: Actor,
  documentId: string,
): Promise<SnapshotPage> {
  const publicId = randomUuid(ids)
  const [settings] = await Promise.all([
    findServiceSettings(tx, actor),
    insertInvoicePage(tx, actor, { documentId, publicId, createdAt: clock.now() }),
  ])
  return {
    url: invoiceUrl(publicUrl, actor, publicId),
    takesPayments: settings !== undefined && takesInvoicePayments(settings),
  }
}

function requirePostable(
  context: BooksContext,
  actor: Actor,
  { document, organisation }: Locked,
  facts: DocumentFacts,
): void {
  const { baseCurrency } = organisation
  requirePostingDate(context, document.date)
  requireOpenDate(organisation, actor, document.date)
  requireComplete(facts.lines)
  requireActive(facts.contact)
  const problems = facts.accounts.flatMap((account) => {
    const problem = accountProblem(account, { currency: document.currency, baseCurrency })
    return problem ? [`${account.code} ${account.name}: ${problem}`] : []
  })
  if (problems.length > 0) throw new Fault('conflict', problems.join(' '))
}

function requireActive({ name, active }: Contact): void {
  if (!active) throw new Fault('conflict', `${name} is no longer active.`)
}

function requireRange({ controlBaseMinor, lines }: DocumentPosting, baseCurrency: string): void {
  const amounts = [controlBaseMinor, ...lines.map(({ baseMinor }) => baseMinor)]
  if (amounts.every(isWithinRange)) return
  throw new Fault('conflict', `The amounts are too large in ${baseCurrency}. Check the rate.`)
}
