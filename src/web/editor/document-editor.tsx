// The editor of invoices, credit notes, bills, supplier credits and expense claims.
import { listAttachments } from '../../books/attachments/list-attachments.ts'
import { createDocument, type WrittenDocument } from '../../books/documents/create-document.ts'
import type { DocumentWithLines } from '../../books/documents/document.ts'
import type { DocumentSide } from '../../books/documents/document-status.ts'
import { type DocumentKind, isSale } from '../../books/documents/document-status.ts'
import { editDocument } from '../../books/documents/edit-document.ts'
import { getDocument } from '../../books/documents/get-document.ts'
import { fileField } from '../documents/attachment-forms.tsx'
import { filePane } from '../documents/attachments.tsx'
import { paperNames, sidePaths } from '../documents/document-place.ts'
import { type AppRoute, defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { autosaveRoute } from './autosave.ts'
import { choicesPages } from './choices-page.ts'
import { statedRate } from './editor-input.ts'
import { FileFields } from './file-fields.tsx'
import { editorUpload, readWaitingFiles, takeFileStep, waitingIds } from './file-step.ts'
import { OtherVersion } from './other-version.tsx'
import { readInput, showEditor } from './show-editor.tsx'

const sideKinds: Readonly<Record<DocumentSide, readonly DocumentKind[]>> = {
  sales: ['invoice', 'credit_note'],
  purchases: ['bill', 'supplier_credit', 'expense_claim'],
}

const sides: readonly DocumentSide[] = ['sales', 'purchases']

export const documentEditors: AppRoute[] = [
  ...choicesPages,
  ...sides.flatMap((side) => [...newForm(side), ...editForm(side), ...autosaveRoutes(side)]),
]

function kindOf(side: DocumentSide, values: URLSearchParams): DocumentKind {
  const [usual = 'invoice', ...others] = sideKinds[side]
  return others.find((kind) => kind === values.get('kind')) ?? usual
}

function hrefOf(visit: Visit, { kind, id }: { kind: DocumentKind; id: string }): string {
  return visit.href(`${sidePaths[isSale(kind) ? 'sales' : 'purchases']}/${id}`)
}

async function readDocumentInput(visit: Visit, side: DocumentSide, form: URLSearchParams) {
  const { facts, state, input } = await readInput(visit, side, form)
  const creditsDocumentId = form.get('creditsDocumentId')
  return {
    ...input,
    ...(state.until.trim() !== '' && { dueDate: state.until }),
    ...statedRate(state, facts),
    ...(creditsDocumentId && { creditsDocumentId }),
  }
}

async function readNewDocument(visit: Visit, side: DocumentSide, form: URLSearchParams) {
  await takeFileStep(visit, form)
  return {
    kind: kindOf(side, form),
    ...(await readDocumentInput(visit, side, form)),
    attachmentIds: waitingIds(form),
  }
}

function newForm(side: DocumentSide): AppRoute[] {
  const path = sidePaths[side]
  return defineForm({
    path: `${path}/new`,
    operation: createDocument,
    takesFiles: editorUpload,
    input: (visit, form) => readNewDocument(visit, side, form),
    async show(visit, draft) {
      const kind = kindOf(side, draft.values)
      const files = side === 'purchases' ? await readWaitingFiles(visit, draft.values) : []
      return showEditor(visit, draft, {
        title: `New ${paperNames[kind].toLowerCase()}`,
        back: { href: visit.href(path), text: side === 'sales' ? 'Invoices' : 'Bills' },
        side,
        hidden: { kind },
        untilLabel: 'Due date',
        hasRate: true,
        ...(side === 'purchases' && {
          files: <FileFields files={files} areWaiting problem={draft.problems[fileField]} />,
          aside: filePane(visit, path, files),
        }),
        autosaveHref: visit.href(`${path}/autosave`),
      })
    },
    done: (visit, document) => ({
      location: hrefOf(visit, document),
      message: savedMessage(document),
    }),
  })
}

function savedMessage({ warnings }: WrittenDocument): string {
  return ['The draft is saved.', ...warnings].join(' ')
}

function editForm(side: DocumentSide): AppRoute[] {
  return defineForm({
    path: `${sidePaths[side]}/:id/edit`,
    operation: editDocument,
    takesFiles: editorUpload,
    input: async (visit, form) => {
      await takeFileStep(visit, form, visit.param('id'))
      return {
        id: visit.param('id'),
        version: readVersion(form),
        ...(await readDocumentInput(visit, side, form)),
      }
    },
    async show(visit, draft) {
      const document = await visit.run(getDocument, { id: visit.param('id'), side })
      const seen = draft.values.get('version')
      const isOther = seen !== null && seen !== String(document.version)
      const base = `${sidePaths[side]}/${document.id}`
      const { attachments } = await visit.run(listAttachments, { documentId: document.id })
      return showEditor(visit, draft, {
        title: `Edit ${paperNames[document.kind].toLowerCase()} draft`,
        back: { href: visit.href(base), text: 'Draft' },
        side,
        hidden: hiddenFields(document, seen),
        untilLabel: 'Due date',
        hasRate: true,
        aside: filePane(visit, sidePaths[side], attachments),
        ...(side === 'purchases' && {
          files: (
            <FileFields
              files={attachments}
              areWaiting={false}
              problem={draft.problems[fileField]}
            />
          ),
        }),
        autosaveHref: isOther ? undefined : visit.href(`${base}/autosave`),
        stored: {
          paper: document,
          until: document.dueDate,
          fxRate: document.fxRateStated ? document.fxRate : null,
        },
        ...(isOther && {
          notice: <OtherVersion paper={document} freshHref={visit.href(`${base}/edit`)} />,
          buttons: (
            <button class="btn" type="submit" name="over" value={document.version}>
              Replace it with mine
            </button>
          ),
        }),
      })
    },
    done: (visit, document) => ({
      location: hrefOf(visit, document),
      message: savedMessage(document),
    }),
  })
}

function hiddenFields(document: DocumentWithLines, seen: string | null) {
  return {
    version: seen ?? String(document.version),
    ...(document.creditsDocumentId !== null && {
      creditsDocumentId: document.creditsDocumentId,
    }),
  }
}

// The person who looked at another's version may replace exactly that one.
function readVersion(form: URLSearchParams): number {
  const text = form.get('over') ?? form.get('version') ?? ''
  return /^\d{1,9}$/.test(text) ? Number.parseInt(text, 10) : 0
}

function autosaveRoutes(side: DocumentSide): AppRoute[] {
  const path = sidePaths[side]
  const saved = (visit: Visit, { id, version }: DocumentWithLines) => ({
    version: String(version),
    editHref: visit.href(`${path}/${id}/edit`),
    autosaveHref: visit.href(`${path}/${id}/autosave`),
    cancelHref: visit.href(`${path}/${id}`),
  })
  return [
    autosaveRoute(`${path}/autosave`, createDocument, async (visit, form, token) => {
      const input = await readNewDocument(visit, side, form)
      // A save that is repeated because its answer was lost makes no second draft.
      const options = { idempotencyKey: `editor-${token}` }
      return saved(visit, await visit.run(createDocument, input, options))
    }),
    autosaveRoute(`${path}/:id/autosave`, editDocument, async (visit, form) => {
      const input = {
        id: visit.param('id'),
        version: readVersion(form),
        ...(await readDocumentInput(visit, side, form)),
      }
      return saved(visit, await visit.run(editDocument, input))
    }),
  ]
}
