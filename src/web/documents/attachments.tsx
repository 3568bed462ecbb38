// The files of a document: a list on its page, and the files themselves beside the editor.
import { addAttachment } from '../../books/attachments/add-attachment.ts'
import type { Attachment } from '../../books/attachments/attachment.ts'
import { listAttachments } from '../../books/attachments/list-attachments.ts'
import { removeAttachment } from '../../books/attachments/remove-attachment.ts'
import { Card } from '../../kernel/web/components.tsx'
import { ActionButton } from '../components/app-form.tsx'
import { Moment } from '../components/moment.tsx'
import type { Visit } from '../shell/visit.ts'

export type FilePlacePath = '/invoices' | '/bills' | '/quotes'

function fileHref(visit: Visit, path: FilePlacePath, file: Attachment): string {
  const ownerId = file.documentId ?? file.quoteId
  return visit.href(
    ownerId === null ? `${path}/files/${file.id}` : `${path}/${ownerId}/files/${file.id}`,
  )
}

export async function attachmentsCard(visit: Visit, path: FilePlacePath, ownerId: string) {
  const owner = path === '/quotes' ? { quoteId: ownerId } : { documentId: ownerId }
  const { attachments, isFull, removalProblem } = await visit.run(listAttachments, owner)
  const mayRemove = visit.may(removeAttachment) && removalProblem === null
  return (
    <Card title="Files">
      {attachments.length === 0 ? (
        <p class="quiet">
          {path === '/bills'
            ? 'Attach the scan or PDF of what you got, to see it beside the fields.'
            : 'Attach what belongs to it, such as a signed order. Customers don’t get these files.'}
        </p>
      ) : (
        <ul class="file-list">
          {attachments.map((file) => (
            <li key={file.id}>
              <span>
                <a
                  href={fileHref(visit, path, file)}
                  data-turbo="false"
                  target="_blank"
                  rel="noopener"
                >
                  {file.fileName}
                </a>
                <span class="quiet d-block">
                  {sizeText(file.byteCount)}, <Moment at={file.addedAt} zone={visit.zone} />
                </span>
              </span>
              {mayRemove && (
                <ActionButton
                  action={`${fileHref(visit, path, file)}/remove`}
                  token={visit.context.ids.uuid()}
                  label="Remove"
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {visit.may(addAttachment) && !isFull && (
        <a class="btn" href={visit.href(`${path}/${ownerId}/attach`)}>
          Attach a file
        </a>
      )}
      {attachments.length > 0 && removalProblem !== null && (
        <p class="quiet mt-2 mb-0">{removalProblem}</p>
      )}
    </Card>
  )
}

// Undefined without files: the editor then has the whole width.
export function filePane(visit: Visit, path: FilePlacePath, attachments: readonly Attachment[]) {
  if (attachments.length === 0) return undefined
  return (
    <aside class="file-pane" aria-label="Files">
      {attachments.map((file, index) => (
        <details key={file.id} open={index === 0}>
          <summary>{file.fileName}</summary>
          <ShownFile href={fileHref(visit, path, file)} file={file} />
        </details>
      ))}
    </aside>
  )
}

function ShownFile({ href, file }: { href: string; file: Attachment }) {
  return (
    <>
      {file.contentType === 'application/pdf' ? (
        <iframe class="file-frame" src={href} title={file.fileName} loading="lazy" />
      ) : (
        <img class="file-image" src={href} alt={file.fileName} loading="lazy" />
      )}
      <a href={href} data-turbo="false" target="_blank" rel="noopener">
        Open in a new tab
      </a>
    </>
  )
}

function sizeText(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.max(1, Math.round(bytes / 1000))} kB`
    : `${(Math.round(bytes / 100_000) / 10).toString()} MB`
}
