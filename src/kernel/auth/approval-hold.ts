// People whose second factor was reset by someone else can't approve for a day. So an attacker who
// tricked an owner into the reset, or is that owner, must wait, and others can notice.
import { addSeconds } from '../basics/clock.ts'
import { permissionDenied } from '../basics/fault.ts'
import type { Sql, Tx } from '../db/database.ts'
import { findSecondFactorResetAt } from './person-store.ts'

export const approvalHoldSeconds = 24 * 60 * 60

export async function requireNoApprovalHold(
  sql: Sql | Tx,
  personId: string,
  now: Date,
): Promise<void> {
  const resetAt = await findSecondFactorResetAt(sql, personId)
  if (resetAt === null) return
  const until = addSeconds(resetAt, approvalHoldSeconds)
  if (until <= now) return
  throw permissionDenied(
    `Your second factor was reset by someone else. You can approve again from ${until.toISOString()}.`,
  )
}
