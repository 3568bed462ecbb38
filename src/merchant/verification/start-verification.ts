// Gives the address at which the owner of a business has it verified. Asking again while a session
// is open, or waits for its decision, gives the same address; an address that ran out is replaced,
// and what was filled in is still there.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { MerchantContext } from '../context.ts'
import {
  addressPath,
  hashToken,
  isExpired,
  type Session,
  sessionSeconds,
  tokenBytes,
  tokenRow,
} from './session.ts'
import { insertSession, lockCurrentSession, lockKycStatus, updateSession } from './session-store.ts'

export type Started = { readonly sessionId: string; readonly path: string }

export async function startVerification(context: MerchantContext, actor: Actor): Promise<Started> {
  // Refuses where nobody could decide in the end.
  await context.verifierFor(actor)
  return context.database.transaction((tx) => start(tx, context, actor))
}

async function start(tx: Tx, context: MerchantContext, actor: Actor): Promise<Started> {
  const { businessId, environment } = actor
  const tenant = { businessId, environment }
  const kycStatus = await lockKycStatus(tx, businessId)
  // A rehearsal may be done as often as one likes.
  if (environment === 'live' && kycStatus === 'verified') {
    throw new Fault('conflict', 'The business is verified already.')
  }
  const now = context.clock.now()
  const expiresAt = addSeconds(now, sessionSeconds)
  const current = await lockCurrentSession(tx, tenant)
  if (current && current.status === 'open' && isExpired(current, now)) {
    await updateSession(tx, tenant, current.id, { status: 'expired', updatedAt: now })
  } else if (current) {
    // What waits for its decision can be looked at as long as that takes.
    const isOld = isExpired(current, now)
    if (isOld) await updateSession(tx, tenant, current.id, { expiresAt, updatedAt: now })
    const token = context.secrets.open(current.tokenSealed, tokenRow(current.id)).toString()
    return { sessionId: current.id, path: addressPath({ tenant, id: current.id, token }) }
  }
  const id = context.ids.uuid()
  const token = context.ids.randomBytes(tokenBytes).toString('base64url')
  const tokenSealed = context.secrets.seal(token, tokenRow(id))
  const session: Session = {
    ...blank,
    id,
    tokenHash: hashToken(token),
    tokenSealed,
    createdAt: now,
    updatedAt: now,
    expiresAt,
  }
  await insertSession(tx, tenant, session)
  await recordAct(tx, context, actor, {
    action: 'verification.start',
    objectKind: 'verification',
    objectId: id,
    detail: { kyc_status: assertDefined(kycStatus, 'a key without a profile') },
  })
  return { sessionId: id, path: addressPath({ tenant, id, token }) }
}

const blank = {
  status: 'open',
  identityOwnerId: null,
  identityAttempts: 0,
  identityStatus: 'none',
  rejectionReason: null,
  submittedAt: null,
  decidedAt: null,
  nextLookAt: null,
} as const
