// Writes a draft anew. Whoever edited it last is its author, so that nobody approves what they
// wrote themselves; the system is nobody, and leaves the author as it was.
import type { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { validated } from '../../kernel/operations/validate.ts'
import type { BooksContext } from '../context.ts'
import { requireRole } from '../operations/permissions.ts'
import { lockForChange, requireVersion, writeChange } from './change-document.ts'
import { authorOf, type Entered, warningsAbout } from './create-document.ts'
import { documentForm } from './document-input.ts'
import { isSale } from './document-status.ts'
import { deleteDocumentLines, insertDocumentLines } from './document-store.ts'
import { resolveDraft } from './resolve-draft.ts'

// The version is the one that the person saw, so that two who edit the same draft notice each
// other.
export async function editDocument(
  context: BooksContext,
  actor: Actor,
  id: string,
  version: number,
  input: z.input<typeof documentForm>,
): Promise<Entered> {
  requireRole(actor, 'write')
  const wanted = validated(documentForm, input)
  return context.database.transaction(async (tx) => {
    const { document } = await lockForChange(tx, actor, id, 'edit')
    requireVersion(document, version)
    const side = isSale(document.kind) ? 'sales' : 'purchase'
    const { lines, ...draft } = await resolveDraft(tx, context, actor, side, wanted)
    await deleteDocumentLines(tx, actor, id)
    await insertDocumentLines(tx, actor, id, lines)
    const after = await writeChange(tx, context, actor, document, {
      verb: 'edit',
      changes: { ...draft, authorPersonId: authorOf(actor) ?? document.authorPersonId },
      ...(wanted.fx_rate !== undefined && { detail: { fxRate: wanted.fx_rate } }),
    })
    return { document: after, lines, warnings: await warningsAbout(tx, actor, after) }
  })
}
