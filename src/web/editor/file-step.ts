// Files in the editor, before the first save too. Buttons of the form upload and remove them; the
// form comes back with everything that was typed. Files of a new document wait for it: the form
// names them, and saving it claims them.
import { addAttachment } from '../../books/attachments/add-attachment.ts'
import {
  type Attachment,
  attachmentBytesMax,
  attachmentsMax,
} from '../../books/attachments/attachment.ts'
import { listWaitingFiles } from '../../books/attachments/list-waiting-files.ts'
import { removeAttachment } from '../../books/attachments/remove-attachment.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { UploadLimits } from '../../kernel/web/upload.ts'
import { readFile } from '../documents/attachment-forms.tsx'
import type { Visit } from '../shell/visit.ts'

// Names of fields: a button, and the ids of files that wait.
export const stepField = 'fileStep'
export const waitingField = 'waitingFile'

// 200 lines with seven fields each.
export const editorUpload: UploadLimits = {
  bytesMax: attachmentBytesMax,
  filesMax: 1,
  fields: { countMax: 2000, bytesMax: 64 * 1024, totalMax: 1024 * 1024 },
}

// Does what a button of the files asks for. Like a button of the lines, it changes only the form:
// the document is not saved.
export async function takeFileStep(visit: Visit, form: URLSearchParams, documentId?: string) {
  const step = form.get(stepField)
  if (step === null) return
  if (step === 'attach') {
    if (!documentId && waitingIds(form).length >= attachmentsMax) {
      throw new Fault('conflict', `A document has at most ${attachmentsMax} files.`)
    }
    const { id } = await visit.run(addAttachment, { documentId, ...readFile(visit) })
    if (!documentId && !waitingIds(form).includes(id)) form.append(waitingField, id)
  } else {
    await visit.run(removeAttachment, { id: step })
    form.delete(waitingField, step)
  }
  throw new Fault('invalid_request', { formErrors: [], fieldErrors: {} })
}

export function waitingIds(form: URLSearchParams): string[] {
  return [...new Set(form.getAll(waitingField))].slice(0, waitingIdsMax)
}

// More than a document can have.
const waitingIdsMax = 20

// Those that still wait, and were not removed or saved with another document meanwhile.
export function readWaitingFiles(
  visit: Visit,
  form: URLSearchParams,
): Promise<readonly Attachment[]> {
  return visit.run(listWaitingFiles, { ids: waitingIds(form).filter((id) => uuidPattern.test(id)) })
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
