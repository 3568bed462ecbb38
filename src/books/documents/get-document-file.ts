import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { type DocumentFile, readDocumentFile } from './read-document-file.ts'

export const getDocumentFile = defineOperation({
  name: 'get-document-file',
  summary: 'Get the PDF of a document',
  kind: 'read',
  // `asIssued`: the file as issued, even of a void document.
  input: z.strictObject({ id: uuid(), asIssued: z.boolean().default(false) }),
  scopes: [],
  roles: everyRole,
  async run({ onAct: _, ...context }, actor, wanted): Promise<DocumentFile> {
    // The first reader may come before the job that draws the file. Storing it then belongs to
    // issuing the document, not to this call, so its audit row does not count here.
    return readDocumentFile(context, actor, wanted)
  },
})
