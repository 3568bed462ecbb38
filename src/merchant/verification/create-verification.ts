// Returns the address of the page on which the owner of a business has it verified. While a session
// is open or waits for its decision, every call returns the same address; an expired address is
// replaced, and the entries are kept. A verified business gets an address too: its pages show what
// is on file, and changes are verified again while the business stays verified.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { ok } from '../../kernel/http/route.ts'
import type { CallContext } from '../../kernel/operations/operation.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { defineOperation, defineRoute, type MerchantContext } from '../context.ts'
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

// The path contains a secret, so it is not part of a `Session`.
export type StartedVerification = { readonly id: string; readonly path: string }

export const createVerification = defineOperation({
  name: 'create-verification',
  summary: 'Have the business verified',
  kind: 'write',
  input: z.strictObject({}),
  scopes: ['kyc:write'],
  roles: adminRoles,
  async run(context, actor): Promise<StartedVerification> {
    // Refuses if no verifier could decide in the end.
    await context.verifierFor(actor)
    return context.database.transaction((tx) => start(tx, context, actor))
  },
})

export const createVerificationRoute = defineRoute({
  operation: createVerification,
  method: 'POST',
  path: '/account/verification',
  operationId: 'createVerification',
  tag: 'Account',
  description:
    'Answers the address of a hosted page on which the owner of the business fills in its details, ' +
    'uploads documents, names the owners and does an identity check. The address holds a secret ' +
    'and is good for seven days; while it is, the same one is answered again. Poll `GET /account` ' +
    'for `kyc_status` afterwards. A verified business can change what is on file; it stays ' +
    'verified meanwhile. With a test key it is a rehearsal, which test keys see in `GET /account` ' +
    'and live keys do not.',
  body: z.strictObject({}),
  responses: {
    200: {
      description: 'Where the owner goes.',
      schema: z.object({ verificationUrl: z.url(), sessionId: z.uuid() }),
    },
  },
  input: () => ({}),
  answer: ({ id, path }, { publicUrl }) =>
    ok({ verificationUrl: `${publicUrl}${path}`, sessionId: id }),
})

async function start(
  tx: Tx,
  context: MerchantContext & CallContext,
  actor: Actor,
): Promise<StartedVerification> {
  const { businessId, environment } = actor
  const tenant = { businessId, environment }
  const kycStatus = await lockKycStatus(tx, businessId)
  const now = context.clock.now()
  const expiresAt = addSeconds(now, sessionSeconds)
  const current = await lockCurrentSession(tx, tenant)
  if (current && current.status === 'open' && isExpired(current, now)) {
    await updateSession(tx, tenant, current.id, { status: 'expired', updatedAt: now })
  } else if (current) {
    // A session that waits for its decision stays open until then.
    const isOld = isExpired(current, now)
    if (isOld) await updateSession(tx, tenant, current.id, { expiresAt, updatedAt: now })
    const token = context.secrets.open(current.tokenSealed, tokenRow(current.id)).toString()
    context.call.nothingChanged()
    return { id: current.id, path: addressPath({ tenant, id: current.id, token }) }
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
    detail: { kyc_status: assertDefined(kycStatus, 'a business without a profile') },
  })
  return { id, path: addressPath({ tenant, id, token }) }
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
