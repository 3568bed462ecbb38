// Everything that can be done with the files of documents.
import { addAttachment } from './add-attachment.ts'
import { getAttachment } from './get-attachment.ts'
import { listAttachments } from './list-attachments.ts'
import { listWaitingFiles } from './list-waiting-files.ts'
import { removeAttachment } from './remove-attachment.ts'

export const attachmentOperations = [
  addAttachment,
  removeAttachment,
  listAttachments,
  listWaitingFiles,
  getAttachment,
]
