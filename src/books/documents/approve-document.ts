// Approves a submitted document. A sale can then be issued; a purchase is posted at once. If
// approvals are off, a purchase is posted straight from the draft.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { requireNoApprovalHold } from '../../kernel/auth/approval-hold.ts'
import { permissionDenied } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { toText } from '../../kernel/money/decimal.ts'
import {
  approverRoles,
  requirePermission,
  writerRoles,
} from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { findRate } from '../currencies/exchange-rate-store.ts'
import { requireRate } from '../currencies/require-rate.ts'
import { rateText } from '../input/amount-input.ts'
import { oldDate } from '../input/day-input.ts'
import { convertMinor } from '../payments/open-item.ts'
import { findApprovalLimit } from './approval-limit-store.ts'
import { type Locked, lockForChange, requireVersion, writeChange } from './change-document.ts'
import { type Document, majorUnits } from './document.ts'
import { isSale } from './document-status.ts'
import { postDocument, requireStatedRate } from './post-document.ts'

// `version` is the one that the person saw. `fxRate` replaces the rate of a draft purchase that was
// not submitted.
const approvalInput = z.strictObject({
  id: uuid(),
  version: z.int().optional(),
  fxRate: rateText().optional(),
  ...oldDate,
})

export const approveDocument = defineOperation({
  name: 'approve-document',
  summary: 'Approve a document; a purchase is posted',
  kind: 'write',
  input: approvalInput,
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id, version, fxRate, confirmsOldDate }): Promise<Document> {
    const approved = await context.database.transaction(async (tx) => {
      const locked = await lockForChange(tx, actor, id, 'approve')
      requireVersion(locked.document, version)
      requireStatedRate(locked, fxRate)
      const now = context.clock.now()
      if (locked.document.submittedAt) await requireApprover(tx, actor, locked, now)
      const changes = {
        approvedAt: now,
        approvedBy: actor.kind === 'person' ? actor.personId : null,
      }
      const { document } = locked
      if (isSale(document.kind)) {
        // A rate that was set after the submission has not been seen by the approver.
        const known =
          document.fxRate ?? (await findRate(tx, actor, document.currency, document.date))
        return writeChange(tx, context, actor, document, {
          verb: 'approve',
          changes: { ...changes, fxRate: known ?? null },
        })
      }
      const posting = { ...context, confirmsOldDate }
      return postDocument(tx, posting, actor, locked, { verb: 'approve', changes, fxRate })
    })
    context.failpoint('document.approved')
    return approved
  },
})

async function requireApprover(tx: Tx, actor: Actor, locked: Locked, now: Date): Promise<void> {
  const { document, organisation } = locked
  requirePermission({ scopes: [], roles: approverRoles }, actor)
  if (organisation.fourEyesOn) {
    if (actor.kind !== 'person') throw permissionDenied('Only a person can approve this.')
    if (actor.personId === document.authorPersonId) {
      throw permissionDenied("You can't approve your own document.")
    }
  }
  if (actor.kind !== 'person') return
  await requireNoApprovalHold(tx, actor, now)
  const limitMinor = await findApprovalLimit(tx, actor, actor.personId)
  if (limitMinor === undefined) return
  const { baseCurrency } = organisation
  const { currency, date, totalMinor } = document
  // Also at the rate of the day, so that a low stated rate does not avoid a limit.
  const stated = document.fxRate ?? (await requireRate(tx, actor, baseCurrency, currency, date))
  const ofDay = (await findRate(tx, actor, currency, date)) ?? stated
  const isWithin = [stated, ofDay].every(
    (rate) => convertMinor(totalMinor, currency, rate, baseCurrency) <= limitMinor,
  )
  if (isWithin) return
  const limit = toText(majorUnits(limitMinor, baseCurrency))
  throw permissionDenied(`Above your approval limit of ${limit} ${baseCurrency}.`)
}
