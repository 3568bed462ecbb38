// Adding, reading and removing the files of a document.
import { addAttachment } from '../../books/attachments/add-attachment.ts'
import { attachmentBytesMax } from '../../books/attachments/attachment.ts'
import { getAttachment } from '../../books/attachments/get-attachment.ts'
import { removeAttachment } from '../../books/attachments/remove-attachment.ts'
import type { DocumentSide } from '../../books/documents/document-status.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import { framedFileHeaders } from '../../kernel/http/security-headers.ts'
import type { PageAnswer } from '../../kernel/web/page.ts'
import { formPage } from '../components/form-page.tsx'
import { type AppRoute, defineAction, defineForm, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { documentHref, documentLabel, readStory } from './act-form.tsx'
import { sidePaths } from './document-place.ts'

const sides: readonly DocumentSide[] = ['sales', 'purchases']

export const attachmentForms: AppRoute[] = sides.flatMap((side) => [
  ...attachForm(side),
  ...filePage(side),
  ...removeAction(side),
])

const fileField = 'content'

function attachForm(side: DocumentSide): AppRoute[] {
  return defineForm({
    path: `${sidePaths[side]}/:id/attach`,
    operation: addAttachment,
    takesFiles: { bytesMax: attachmentBytesMax, filesMax: 1 },
    async input(visit) {
      const story = await readStory(visit, side)
      return { documentId: story.document.id, ...readFile(visit) }
    },
    async show(visit, draft) {
      const story = await readStory(visit, side)
      const problem = draft.problems[fileField]
      return formPage({
        title: `Attach a file: ${documentLabel(story)}`,
        back: { href: documentHref(visit, side), text: story.document.number ?? 'Draft' },
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
              accept="application/pdf,image/png,image/jpeg"
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
      location: documentHref(visit, side),
      message: `${fileName} is attached.`,
    }),
  })
}

function readFile({ request: { upload } }: Visit) {
  const file = upload?.kind === 'files' ? upload.files.find(isOurs) : undefined
  if (!file) throw invalidField(fileField, 'Choose a file first.')
  if (file.bytes === 'too_large') throw invalidField(fileField, 'At most 5 MB.')
  return { fileName: file.name, content: file.bytes.toString('base64') }
}

function isOurs({ field }: { readonly field: string }): boolean {
  return field === fileField
}

function filePage(side: DocumentSide): AppRoute[] {
  return definePage({
    path: `${sidePaths[side]}/:id/files/:file`,
    operation: getAttachment,
    async show(visit) {
      const file = await visit.run(getAttachment, {
        documentId: visit.param('id'),
        id: visit.param('file'),
      })
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

function removeAction(side: DocumentSide): AppRoute[] {
  return defineAction({
    path: `${sidePaths[side]}/:id/files/:file/remove`,
    operation: removeAttachment,
    page: (visit) => documentHref(visit, side),
    input: (visit) => ({ id: visit.param('file') }),
    done: (visit, { fileName }) => ({
      location: documentHref(visit, side),
      message: `${fileName} is removed.`,
    }),
  })
}
