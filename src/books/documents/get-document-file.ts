import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { type DocumentFile, readDocumentFile } from './read-document-file.ts'

export const getDocumentFile = defineOperation({
  name: 'get-document-file',
  summary: 'Get the PDF of an invoice or credit note',
  kind: 'read',
  // `asIssued`: the file that was issued, also of a void document.
  input: z.strictObject({ id: uuid(), asIssued: z.boolean().default(false) }),
  scopes: [],
  roles: everyRole,
  async run({ onAct: _, ...context }, actor, wanted): Promise<DocumentFile> {
    // The first reader may come before the job that draws the file. Keeping it then belongs to
    // issuing the document, not to this call, so its audit row is not counted here.
    return readDocumentFile(context, actor, wanted)
  },
})
