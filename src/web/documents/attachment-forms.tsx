// Adding, reading and removing the files of a document or quote.
import { addAttachment } from '../../books/attachments/add-attachment.ts'
import { attachmentBytesMax, type Owner } from '../../books/attachments/attachment.ts'
import { getAttachment } from '../../books/attachments/get-attachment.ts'
import { removeAttachment } from '../../books/attachments/remove-attachment.ts'
import type { DocumentSide } from '../../books/documents/document-status.ts'
import { getQuote } from '../../books/quotes/get-quote.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import { framedFileHeaders } from '../../kernel/http/security-headers.ts'
import type { PageAnswer } from '../../kernel/web/page.ts'
import { formPage } from '../components/form-page.tsx'
import { type AppRoute, defineAction, defineForm, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { documentLabel, readStory } from './act-form.tsx'
import type { FilePlacePath } from './attachments.tsx'
import { sidePaths } from './document-place.ts'

type FilePlace = {
  readonly path: FilePlacePath
  ownerOf(id: string): Owner
  // How its page is called. Throws if there is none.
  nameOf(visit: Visit): Promise<{ readonly label: string; readonly short: string }>
}

function documentFiles(side: DocumentSide): FilePlace {
  return {
    path: sidePaths[side],
    ownerOf: (documentId) => ({ documentId }),
    async nameOf(visit) {
      const story = await readStory(visit, side)
      return { label: documentLabel(story), short: story.document.number ?? 'Draft' }
    },
  }
}

const quoteFiles: FilePlace = {
  path: '/quotes',
  ownerOf: (quoteId) => ({ quoteId }),
  async nameOf(visit) {
    const { number } = await visit.run(getQuote, { id: visit.param('id') })
    const label = number ?? 'Quote draft'
    return { label, short: label }
  },
}

const places = [documentFiles('sales'), documentFiles('purchases'), quoteFiles]

export const attachmentForms: AppRoute[] = [
  ...places.flatMap((place) => [
    ...attachForm(place),
    ...filePage(`${place.path}/:id/files/:file`, (visit) => place.ownerOf(visit.param('id'))),
    ...removeAction(place),
  ]),
  // Of a bill that is not saved yet.
  ...filePage('/bills/files/:file', () => ({})),
]

export const fileField = 'content'
export const acceptedFiles = 'application/pdf,image/png,image/jpeg'

function ownerHref(visit: Visit, { path }: FilePlace): string {
  return visit.href(`${path}/${visit.param('id')}`)
}

function attachForm(place: FilePlace): AppRoute[] {
  return defineForm({
    path: `${place.path}/:id/attach`,
    operation: addAttachment,
    takesFiles: { bytesMax: attachmentBytesMax, filesMax: 1 },
    async input(visit) {
      await place.nameOf(visit)
      return { ...place.ownerOf(visit.param('id')), ...readFile(visit) }
    },
    async show(visit, draft) {
      const { label, short } = await place.nameOf(visit)
      const problem = draft.problems[fileField]
      return formPage({
        title: `Attach a file: ${label}`,
        back: { href: ownerHref(visit, place), text: short },
        draft,
        submit: 'Attach file',
        hasFile: true,
        children: (
          <div class="mb-3">
            <label class="form-label" for={fileField}>
              File
            </label>
            <p class="form-hint" id="file-hint">
              A PDF, PNG or JPEG of at most 5 MB. It is stored encrypted, and not sent to the
              customer.
            </p>
            <input
              class={`form-control${problem ? ' is-invalid' : ''}`}
              type="file"
              id={fileField}
              name={fileField}
              accept={acceptedFiles}
              aria-describedby={problem ? `${fileField}-error file-hint` : 'file-hint'}
              {...(problem && { 'aria-invalid': true })}
            />
            {problem && (
              <p class="field-error" id={`${fileField}-error`}>
                {problem}
              </p>
            )}
          </div>
        ),
      })
    },
    done: (visit, { fileName }) => ({
      location: ownerHref(visit, place),
      message: `${fileName} is attached.`,
    }),
  })
}

export function readFile({ request: { upload } }: Visit) {
  const file = upload?.kind === 'files' ? upload.files.find(isOurs) : undefined
  if (!file) throw invalidField(fileField, 'Choose a file first.')
  if (file.bytes === 'too_large') throw invalidField(fileField, 'At most 5 MB.')
  return { fileName: file.name, content: file.bytes.toString('base64') }
}

function isOurs({ field }: { readonly field: string }): boolean {
  return field === fileField
}

function filePage(path: string, ownerOf: (visit: Visit) => Owner): AppRoute[] {
  return definePage({
    path,
    operation: getAttachment,
    async show(visit) {
      const file = await visit.run(getAttachment, { ...ownerOf(visit), id: visit.param('file') })
      return shownFile(file.fileName, file.contentType, file.content)
    },
  })
}

// In the browser, as the type that its first bytes have, whatever its name is.
export function shownFile(name: string, contentType: string, body: Uint8Array): PageAnswer {
  // Headers are ASCII only; these characters have a meaning in them.
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, escaped)
  return {
    status: 200,
    headers: {
      ...framedFileHeaders,
      'content-type': contentType,
      'content-disposition': `inline; filename*=UTF-8''${encoded}`,
    },
    body,
  }
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

function removeAction(place: FilePlace): AppRoute[] {
  return defineAction({
    path: `${place.path}/:id/files/:file/remove`,
    operation: removeAttachment,
    page: (visit) => ownerHref(visit, place),
    input: (visit) => ({ id: visit.param('file') }),
    done: (visit, { fileName }) => ({
      location: ownerHref(visit, place),
      message: `${fileName} is removed.`,
    }),
  })
}
