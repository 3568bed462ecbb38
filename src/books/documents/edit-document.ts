// Replaces a draft. The last person who edited it is its author, so that people don't approve what
// they wrote. Edits by the system don't change the author.
import { z } from 'zod'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { lockForChange, requireVersion, writeChange } from './change-document.ts'
import { authorOf, type WrittenDocument, withWarnings } from './create-document.ts'
import { withoutTaxes } from './document.ts'
import { documentInput } from './document-input.ts'
import { isSale } from './document-status.ts'
import { deleteDocumentLines, insertDocumentLines } from './document-store.ts'
import { requireCredited } from './require-credited.ts'
import { resolveDraft } from './resolve-draft.ts'

// `version` is the one that the person saw, so that two people who edit the same draft notice each
// other.
const editInput = z.strictObject({ id: uuid(), version: z.int(), ...documentInput.shape })

export const editDocument = defineOperation({
  name: 'edit-document',
  summary: 'Change a draft; `version` says which version was edited',
  kind: 'write',
  input: editInput,
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id, version, ...input }): Promise<WrittenDocument> {
    return context.database.transaction(async (tx) => {
      const { document } = await lockForChange(tx, actor, id, 'edit')
      requireVersion(document, version)
      const side = isSale(document.kind) ? 'sales' : 'purchase'
      const { lines, ...draft } = await resolveDraft(tx, context, actor, side, input)
      const creditsDocumentId = input.creditsDocumentId ?? null
      const credit = { kind: document.kind, ...draft, creditsDocumentId }
      await requireCredited(tx, actor, credit)
      await deleteDocumentLines(tx, actor, id)
      await insertDocumentLines(tx, actor, id, lines)
      const after = await writeChange(tx, context, actor, document, {
        verb: 'edit',
        changes: {
          ...draft,
          creditsDocumentId,
          authorPersonId: authorOf(actor) ?? document.authorPersonId,
        },
        ...(input.fxRate !== undefined && { detail: { fxRate: input.fxRate } }),
      })
      return withWarnings(tx, actor, { ...after, lines: lines.map(withoutTaxes) })
    })
  },
})
