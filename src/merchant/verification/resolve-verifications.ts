// Sends submitted dossiers to the verifier and records the decision. The row itself says what is
// left to do, so after a crash the next look continues:
//   the verifier does not know the dossier: it is sent, with the session's reference;
//   it has decided: the decision is recorded once;
//   otherwise: later.
import type { SystemActor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import { notify } from '../../kernel/notices/notify.ts'
import { findAccount } from '../business/business-store.ts'
import type { MerchantContext } from '../context.ts'
import { documentRow } from './document.ts'
import { findContent } from './document-store.ts'
import { updateOwnersVerified } from './dossier-store.ts'
import { readDossier } from './open-verification.ts'
import type { Session } from './session.ts'
import {
  listSessionsToLookAt,
  lockKycStatus,
  lockSession,
  type SessionOfTenant,
  updateKycStatus,
  updateNextLook,
  updateSession,
} from './session-store.ts'
import { verificationNotice } from './verification-notice.ts'
import type { Decision, SubmittedDossier, Verifier } from './verifier.ts'

export const resolveVerificationsSchedule = defineSchedule({
  name: 'resolve-verifications',
  everySeconds: 5,
  run: (context: MerchantContext, signal) => resolveVerifications(context, signal),
})

const batchSize = 50

async function resolveVerifications(context: MerchantContext, signal: AbortSignal): Promise<void> {
  const { database, clock, log } = context
  for (const entry of await listSessionsToLookAt(database.sql, clock.now(), batchSize)) {
    if (signal.aborted) return
    try {
      await look(context, entry)
    } catch (error) {
      // The next look comes by itself. The others must not wait for this one.
      const { id } = entry.session
      log.error({ sessionId: id, err: error }, 'could not look up a verification')
    }
  }
}

async function look(context: MerchantContext, { tenant, session }: SessionOfTenant): Promise<void> {
  const now = context.clock.now()
  const next = nextLookAt(session, now)
  if (!(await updateNextLook(context.database.sql, tenant, session, next))) return
  const verifier = await context.verifierFor(tenant)
  let found = await verifier.findDecision(session.id)
  if (found.kind === 'success' && found.value === null) {
    const outcome = await verifier.handIn(await handedIn(context, tenant, session))
    if (outcome.kind === 'refused') {
      context.log.error({ sessionId: session.id }, 'the verifier refused a dossier')
    }
    if (outcome.kind !== 'success') return
    found = await verifier.findDecision(session.id)
  }
  const decision = found.kind === 'success' ? found.value : null
  if (decision === null || decision.status === 'waiting') return
  const { isSimulated } = verifier
  await context.database.transaction((tx) =>
    settle(tx, context, tenant, session.id, { ...decision, isSimulated }),
  )
}

// Often while the owner may be waiting, then ever more rarely, at least every hour.
function nextLookAt({ submittedAt }: Session, now: Date): Date {
  const ageSeconds = submittedAt ? (now.getTime() - submittedAt.getTime()) / 1000 : 0
  return addSeconds(now, Math.min(Math.max(ageSeconds / 4, 10), 3600))
}

async function handedIn(
  context: MerchantContext,
  tenant: Tenant,
  session: Session,
): Promise<SubmittedDossier> {
  const { database, secrets } = context
  const { details, owners, documents } = await readDossier(context, database.sql, tenant)
  const account = await findAccount(database.sql, tenant.businessId)
  return {
    reference: session.id,
    country: assertDefined(account, 'a session without a business').country,
    details: assertDefined(details, 'a dossier without details was handed in'),
    owners,
    documents: documents.map(({ id, kind, contentType, sha256 }) => ({
      id,
      kind,
      contentType,
      sha256: sha256.toString('hex'),
      read: async () => {
        const sealed = await findContent(database.sql, tenant.businessId, id)
        return secrets.open(assertDefined(sealed, 'a document without content'), documentRow(id))
      },
    })),
  }
}

async function settle(
  tx: Tx,
  context: MerchantContext,
  tenant: Tenant,
  sessionId: string,
  decision: Exclude<Decision, { status: 'waiting' }> & Pick<Verifier, 'isSimulated'>,
): Promise<void> {
  const known = await lockKycStatus(tx, tenant.businessId)
  const session = await lockSession(tx, tenant, sessionId)
  if (session?.status !== 'submitted') return
  const now = context.clock.now()
  const { status } = decision
  const reason = status === 'rejected' ? decision.reason : null
  await updateSession(tx, tenant, sessionId, {
    status,
    rejectionReason: reason,
    decidedAt: now,
    nextLookAt: null,
    updatedAt: now,
  })
  // A business that was verified before, by the verifier or by hand, stays so: what was rejected
  // are its changes.
  const staysVerified = tenant.environment === 'live' && known === 'verified'
  const isVerified = status === 'verified'
  if (isVerified || !staysVerified) await updateOwnersVerified(tx, tenant, isVerified ? now : null)
  if (tenant.environment === 'live' && !staysVerified) {
    await updateKycStatus(tx, tenant.businessId, status, now, decision.isSimulated)
  }
  const actor: SystemActor = { ...tenant, kind: 'system', name: 'resolve verifications' }
  await recordAct(tx, context, actor, {
    action: status === 'verified' ? 'verification.verify' : 'verification.reject',
    objectKind: 'verification',
    objectId: sessionId,
    detail: reason === null ? {} : { reason },
  })
  await notify(tx, context, tenant, verificationNotice(sessionId, status, reason))
}
