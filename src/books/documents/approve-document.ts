// Approves what was submitted. A sale is then ready to be issued; a purchase enters the books at
// once, and where approvals are off it does so straight from the draft.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { permissionDenied } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { validated } from '../../kernel/http/errors.ts'
import { toText } from '../../kernel/money/decimal.ts'
import { rateText } from '../amount-input.ts'
import type { BooksContext } from '../context.ts'
import { requireRate } from '../currencies/require-rate.ts'
import { convertMinor } from '../payments/open-item.ts'
import { requireRole } from '../permissions.ts'
import { findApprovalLimit } from './approval-limit-store.ts'
import { type Locked, lockForChange, requireVersion, writeChange } from './change-document.ts'
import { type Document, majorUnits } from './document.ts'
import { isSale } from './document-status.ts'
import { postDocument, requireStatedRate } from './post-document.ts'

// `version` is the one that the person saw; `fxRate`, of a purchase that nobody submitted, is in
// place of the rate that the draft has.
export const approvalInput = z.strictObject({
  version: z.int().optional(),
  fxRate: rateText().optional(),
})

export async function approveDocument(
  context: BooksContext,
  actor: Actor,
  id: string,
  input: z.input<typeof approvalInput> = {},
): Promise<Document> {
  requireRole(actor, 'write')
  const { version, fxRate } = validated(approvalInput, input)
  const approved = await context.database.transaction(async (tx) => {
    const locked = await lockForChange(tx, actor, id, 'approve')
    requireVersion(locked.document, version)
    requireStatedRate(locked, fxRate)
    if (locked.document.submittedAt) await requireApprover(tx, actor, locked)
    const changes = {
      approvedAt: context.clock.now(),
      approvedBy: actor.kind === 'person' ? actor.personId : null,
    }
    if (isSale(locked.document.kind)) {
      return writeChange(tx, context, actor, locked.document, { verb: 'approve', changes })
    }
    return postDocument(tx, context, actor, locked, { verb: 'approve', changes, fxRate })
  })
  context.failpoint('document.approved')
  return approved
}

async function requireApprover(tx: Tx, actor: Actor, locked: Locked): Promise<void> {
  const { document, organisation } = locked
  requireRole(actor, 'approve')
  if (organisation.fourEyesOn) {
    if (actor.kind !== 'person') throw permissionDenied('A person approves this.')
    if (actor.personId === document.authorPersonId) {
      throw permissionDenied('Somebody else than its author approves it.')
    }
  }
  if (actor.kind !== 'person') return
  const limitMinor = await findApprovalLimit(tx, actor, actor.personId)
  if (limitMinor === undefined) return
  const { baseCurrency } = organisation
  const { currency, date, totalMinor } = document
  const fxRate = document.fxRate ?? (await requireRate(tx, actor, baseCurrency, currency, date))
  if (convertMinor(totalMinor, currency, fxRate, baseCurrency) <= limitMinor) return
  const limit = toText(majorUnits(limitMinor, baseCurrency))
  throw permissionDenied(`Above the ${limit} ${baseCurrency} that you may approve.`)
}
