// Sets up a second factor for a signed-in person without one. The new one is stored first and
// counts once a code of it was entered: until then the authenticator app may not have it. A person
// who has one can't replace it here; an owner must reset it first.
import { permissionDenied } from '../basics/fault.ts'
import type { Context } from '../db/context.ts'
import type { Tx } from '../db/database.ts'
import { parseMailAddress } from '../mail/mail.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { recordAct } from './audit-log.ts'
import { makeSecondFactor } from './make-second-factor.ts'
import { listMembershipsOfPerson } from './membership-store.ts'
import type { NewSecondFactor, Session } from './person.ts'
import { updateSecondFactorUse } from './person-store.ts'
import { findTotpStep, otpauthUrl, totpSecretText } from './person-totp.ts'
import { openFactor } from './second-factor.ts'
import type { Secrets } from './secrets.ts'
import { deleteOtherSessions, updateSessionProven } from './session-store.ts'
import {
  findUnverifiedTwoFactor,
  insertOrUpdateUnverified,
  updateTwoFactorVerified,
} from './two-factor-store.ts'

export async function startSecondFactor(
  context: Context,
  secrets: Secrets,
  session: Session,
): Promise<NewSecondFactor> {
  const { personId } = session
  const { shown, stored } = makeSecondFactor(context, secrets, session)
  const row = { id: context.ids.uuid(), personId, ...stored }
  if (await insertOrUpdateUnverified(context.database.sql, row)) return shown
  throw permissionDenied('This account has a second factor already.')
}

// Undefined if it is now set up. Otherwise the code was wrong, and the new factor is returned, so
// that it can be shown again.
export async function confirmSecondFactor(
  context: Context,
  secrets: Secrets,
  session: Session,
  code: string,
): Promise<NewSecondFactor | undefined> {
  const { personId, email } = session
  const stored = await findUnverifiedTwoFactor(context.database.sql, personId)
  if (!stored) return startSecondFactor(context, secrets, session)
  const { seed, backupCodes } = openFactor(secrets, personId, stored)
  const step = findTotpStep(seed, code.replace(/\s/g, ''), context.clock.now())
  if (step === undefined) {
    const totpSecret = totpSecretText(seed)
    return { totpSecret, otpauthUrl: otpauthUrl(email, totpSecret), backupCodes }
  }
  await context.database.transaction((tx) => finish(tx, context, session, step))
  return undefined
}

async function finish(tx: Tx, context: Context, session: Session, step: number): Promise<void> {
  const { personId, sessionId, email } = session
  const now = context.clock.now()
  if (!(await updateTwoFactorVerified(tx, personId, step))) return
  await updateSecondFactorUse(tx, personId, { isEnabled: true, resetAt: null, updatedAt: now })
  // Sessions with only a password end; this one has just proven the second factor.
  await deleteOtherSessions(tx, personId, sessionId)
  await updateSessionProven(tx, sessionId, now)
  for (const { businessId, role } of await listMembershipsOfPerson(tx, personId)) {
    const actor = { kind: 'person', personId, role, businessId, environment: 'live' } as const
    await recordAct(tx, context, actor, {
      action: 'person.set_up_second_factor',
      objectKind: 'person',
      objectId: personId,
    })
  }
  const to = parseMailAddress(email)
  if (to) await queueMail(tx, context, { tenant: null, to: [to], ...letter })
}

const letter = {
  subject: 'You have a new second factor',
  text: [
    'A new second factor was set up for your account. Signing in needs a code of it from now on.',
    '',
    'If this was not you, tell an owner of your business at once.',
    '',
  ].join('\n'),
}
