// Issues an invoice or credit note: from here on it has a number, is in the books, and never
// changes again.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { validated } from '../../kernel/operations/validate.ts'
import type { BooksContext } from '../context.ts'
import { rateText } from '../input/amount-input.ts'
import { requireRole } from '../operations/permissions.ts'
import { lockForChange, requireVersion } from './change-document.ts'
import type { Document } from './document.ts'
import { postDocument, requireStatedRate } from './post-document.ts'

// `isSent` says that it reaches the customer in another way than through us; `version` is the one
// that the person saw; `fxRate` is in place of the rate that the draft has.
export const issueInput = z.strictObject({
  isSent: z.boolean().default(false),
  version: z.int().optional(),
  fxRate: rateText().optional(),
})

export async function issueDocument(
  context: BooksContext,
  actor: Actor,
  id: string,
  input: z.input<typeof issueInput> = {},
): Promise<Document> {
  requireRole(actor, 'write')
  const { isSent, version, fxRate } = validated(issueInput, input)
  const issued = await context.database.transaction(async (tx) => {
    const locked = await lockForChange(tx, actor, id, 'issue')
    requireVersion(locked.document, version)
    requireStatedRate(locked, fxRate)
    const sentAt = isSent ? context.clock.now() : null
    return postDocument(tx, context, actor, locked, { verb: 'issue', changes: { sentAt }, fxRate })
  })
  context.failpoint('document.issued')
  return issued
}
