// Some people can't approve for a day: those whose second factor was reset by someone else, and
// those who got a role that can approve without the confirmation of another owner. So an attacker
// who tricked an owner, or is that owner, must wait, and others can notice.
import { addSeconds } from '../basics/clock.ts'
import { permissionDenied } from '../basics/fault.ts'
import type { Sql, Tx } from '../db/database.ts'
import type { PersonActor } from './actor.ts'
import { findApprovalHeldAt } from './membership-store.ts'
import { findSecondFactorResetAt } from './person-store.ts'

export const approvalHoldSeconds = 24 * 60 * 60

export async function requireNoApprovalHold(
  sql: Sql | Tx,
  { businessId, personId }: Pick<PersonActor, 'businessId' | 'personId'>,
  now: Date,
): Promise<void> {
  const resetAt = await findSecondFactorResetAt(sql, personId)
  refuse(resetAt, now, 'Your second factor was reset by someone else. You can approve again from')
  const heldAt = await findApprovalHeldAt(sql, businessId, personId)
  refuse(heldAt, now, 'No other owner confirmed your role. You can approve from')
}

function refuse(since: Date | null, now: Date, text: string): void {
  if (since === null) return
  const until = addSeconds(since, approvalHoldSeconds)
  if (until > now) throw permissionDenied(`${text} ${until.toISOString()}.`)
}
