// Every step of a document that moves no money: from draft to approved, issued, sent, and back.
import { approveDocument } from '../../books/documents/approve-document.ts'
import { changeDueDate } from '../../books/documents/change-due-date.ts'
import { createDocument } from '../../books/documents/create-document.ts'
import { discardDocument } from '../../books/documents/discard-document.ts'
import type { DocumentSide } from '../../books/documents/document-status.ts'
import { isSale } from '../../books/documents/document-status.ts'
import type { DocumentStory } from '../../books/documents/get-document-story.ts'
import { returnDocument } from '../../books/documents/return-document.ts'
import { submitDocument } from '../../books/documents/submit-document.ts'
import { voidDocument } from '../../books/documents/void-document.ts'
import { withdrawDocument } from '../../books/documents/withdraw-document.ts'
import { DraftText } from '../components/draft-fields.tsx'
import type { AppRoute } from '../shell/define-page.ts'
import {
  actAction,
  actForm,
  BookingDay,
  documentHref,
  documentLabel,
  readDay,
} from './act-form.tsx'
import { copyLines } from './copy-lines.ts'
import {
  DecisionFields,
  readDecision,
  readVersion,
  totalOf,
  VersionField,
} from './decision-fields.tsx'

const sides: readonly DocumentSide[] = ['sales', 'purchases']

export const transitionForms: AppRoute[] = sides.flatMap((side) => [
  ...approvalForms(side),
  ...endingForms(side),
  ...copyActions(side),
])

function ofDocument({ document: { id } }: DocumentStory) {
  return { id }
}

function approvalForms(side: DocumentSide): AppRoute[] {
  return [
    ...actAction({
      side,
      act: 'submit',
      operation: submitDocument,
      input: (_visit, story) => ofDocument(story),
      message: 'Submitted for approval.',
    }),
    ...actAction({
      side,
      act: 'withdraw',
      operation: withdrawDocument,
      input: (_visit, story) => ofDocument(story),
      message: 'Withdrawn. It is a draft again.',
    }),
    ...actForm({
      side,
      act: 'approve',
      operation: approveDocument,
      submit: 'Approve',
      input: (_visit, form, story) => ({ ...ofDocument(story), ...readDecision(form) }),
      async fields(_visit, draft, story) {
        const isPosted = side === 'purchases'
        return (
          <>
            <p>
              {isPosted
                ? `The ${documentLabel(story)} of ${totalOf(story)} gets its number and is booked.`
                : `The ${documentLabel(story)} of ${totalOf(story)} can then be issued.`}
            </p>
            <DecisionFields draft={draft} story={story} hasRate={isPosted} />
          </>
        )
      },
      message: 'Approved.',
    }),
    ...actForm({
      side,
      act: 'return',
      operation: returnDocument,
      submit: 'Return',
      input: (_visit, form, story) => ({
        ...ofDocument(story),
        reason: form.get('reason') ?? '',
      }),
      fields: async (_visit, draft) => (
        <DraftText
          draft={draft}
          name="reason"
          label="Reason"
          hint="The author sees it and can correct the document."
        />
      ),
      message: 'Returned to its author.',
    }),
  ]
}

function endingForms(side: DocumentSide): AppRoute[] {
  return [
    ...actForm({
      side,
      act: 'change_due_date',
      operation: changeDueDate,
      submit: 'Change due date',
      input: (_visit, form, { document }) => ({
        id: document.id,
        dueDate: form.get('dueDate') ?? '',
        ...readVersion(form),
      }),
      fields: async (_visit, draft, { document }) => (
        <>
          <p>Lists and reports show the new day. The document stays as it was issued.</p>
          <VersionField draft={draft} version={document.version} />
          <DraftText
            draft={draft}
            name="dueDate"
            label="Due date"
            type="date"
            initial={document.dueDate}
          />
        </>
      ),
      message: 'The due date is changed.',
    }),
    ...actForm({
      side,
      act: 'void',
      operation: voidDocument,
      submit: 'Void',
      isDangerous: true,
      input: (_visit, form, story) => ({ ...ofDocument(story), ...readDay(form) }),
      fields: async (visit, draft, story) => (
        <>
          <p>
            The {documentLabel(story)} of {totalOf(story)} is reversed in the books. Its number
            stays used. This can’t be undone.
          </p>
          <BookingDay
            visit={visit}
            draft={draft}
            story={story}
            hint="The day of the reversal, in an open period."
          />
        </>
      ),
      message: 'Voided.',
    }),
    ...actForm({
      side,
      act: 'discard',
      operation: discardDocument,
      submit: 'Discard',
      isDangerous: true,
      input: (_visit, _form, story) => ofDocument(story),
      fields: async (_visit, _draft, story) => (
        <p>
          The {documentLabel(story)} of {totalOf(story)} ends without being booked. This can’t be
          undone.
        </p>
      ),
      message: 'Discarded.',
    }),
  ]
}

// Both make a draft with the same lines.
function copyActions(side: DocumentSide): AppRoute[] {
  return [
    ...actAction({
      side,
      act: 'duplicate',
      operation: createDocument,
      input: (_visit, story) => ({ kind: story.document.kind, ...copyOf(story) }),
      leadsTo: (visit, { id }) => documentHref(visit, side, id),
      message: 'This is the copy, a draft.',
    }),
    ...actAction({
      side,
      act: 'credit',
      operation: createDocument,
      input: (_visit, story) => ({
        kind: side === 'sales' ? ('credit_note' as const) : ('supplier_credit' as const),
        ...copyOf(story),
        creditsDocumentId: story.document.id,
        ...(story.document.fxRate !== null &&
          story.document.currency !== story.organisation.baseCurrency && {
            fxRate: story.document.fxRate,
          }),
      }),
      leadsTo: (visit, { id }) => documentHref(visit, side, id),
      message: 'This is the credit, a draft with the same lines.',
    }),
  ]
}

// The lines and terms of a document, for a new one. A supplier's reference names one bill only.
function copyOf({ document }: DocumentStory) {
  return {
    contactId: document.contactId,
    currency: document.currency,
    ...(isSale(document.kind) && document.reference !== null && { reference: document.reference }),
    ...(document.notes !== null && { notes: document.notes }),
    lines: copyLines(document.lines),
  }
}
