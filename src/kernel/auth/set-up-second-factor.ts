// Sets up a second factor, or replaces it. The new one is shown first and stored once a code of it
// was entered: until then the authenticator app may not have it. In between, the browser holds it,
// encrypted for this person, so that a working factor is not touched before the new one works.
import { addSeconds } from '../basics/clock.ts'
import { permissionDenied } from '../basics/fault.ts'
import type { Context } from '../db/context.ts'
import type { Tx } from '../db/database.ts'
import { mailPerson } from './mail-person.ts'
import type { ProposedFactor, Session } from './person.ts'
import { deleteLinksOfPerson } from './person-link-store.ts'
import { findPerson, updateSecondFactorUse } from './person-store.ts'
import {
  findTotpStep,
  makeBackupCodes,
  makeTotpSeed,
  otpauthUrl,
  totpSecretText,
} from './person-totp.ts'
import { recordOwnAct } from './record-own-act.ts'
import { sealFactor } from './second-factor.ts'
import { type Secrets, SecretsError } from './secrets.ts'
import { deleteOtherSessions, lockSession, updateSessionProven } from './session-store.ts'
import { insertOrReplaceTwoFactor } from './two-factor-store.ts'

// Long enough to install an app first.
const proposalSeconds = 60 * 60
const passwordSeconds = 15 * 60

type Person = { readonly personId: string; readonly email: string }
type SignedIn = Person & { readonly sessionId: string }

export function hasRecentPassword({ passwordAt }: Session, now: Date): boolean {
  return passwordAt !== null && passwordAt > addSeconds(now, -passwordSeconds)
}

// After a wrong code, the earlier proposal is shown again, unless it took too long.
export function proposeSecondFactor(
  context: Pick<Context, 'ids' | 'clock'>,
  secrets: Secrets,
  person: Person,
  earlier = '',
): ProposedFactor {
  const known = openProposal(context, secrets, person, earlier)
  if (known !== undefined) return shown(person, known, earlier)
  const seed = makeTotpSeed(context.ids)
  const content = JSON.stringify({ seed, at: context.clock.now().toISOString() })
  const sealed = secrets.seal(content, proposalRow(person))
  return shown(person, seed, sealed.toString('base64url'))
}

export type ConfirmedFactor =
  | { readonly backupCodes: readonly string[] }
  // What to tell the person.
  | { readonly problem: string }

export async function confirmSecondFactor(
  context: Pick<Context, 'database' | 'ids' | 'clock' | 'onAct'>,
  secrets: Secrets,
  person: SignedIn,
  { proposal, code }: { readonly proposal: string; readonly code: string },
): Promise<ConfirmedFactor> {
  const seed = openProposal(context, secrets, person, proposal)
  if (seed === undefined) {
    return { problem: 'This took too long. Scan the new QR code, then enter a code of it.' }
  }
  const step = findTotpStep(seed, code.replace(/\s/g, ''), context.clock.now())
  if (step === undefined) {
    return { problem: 'This code is wrong. Enter the code that the app shows now.' }
  }
  const backupCodes = makeBackupCodes(context.ids)
  const stored = sealFactor(secrets, person.personId, { seed, backupCodes })
  await context.database.transaction((tx) =>
    storeFactor(tx, context, person, { ...stored, lastTotpStep: step }),
  )
  return { backupCodes }
}

// A session that has not proven the factor that there is must not replace it.
async function storeFactor(
  tx: Tx,
  context: Pick<Context, 'ids' | 'clock' | 'onAct'>,
  { personId, sessionId }: SignedIn,
  factor: Omit<Parameters<typeof insertOrReplaceTwoFactor>[1], 'id' | 'personId'>,
): Promise<void> {
  const now = context.clock.now()
  const session = await lockSession(tx, personId, sessionId)
  if (!session) throw permissionDenied('Your session has ended. Sign in again.')
  const row = { id: context.ids.uuid(), personId, ...factor }
  if (!(await insertOrReplaceTwoFactor(tx, row, session.secondFactorAt !== null))) {
    throw permissionDenied('This account has a second factor already.')
  }
  await updateSecondFactorUse(tx, personId, { isEnabled: true, resetAt: null, updatedAt: now })
  // Other sessions know only the password, or the old factor. They may have asked for links.
  await deleteLinksOfPerson(tx, personId)
  const endedSessions = await deleteOtherSessions(tx, personId, sessionId)
  await updateSessionProven(tx, sessionId, now)
  const isReplaced = session.secondFactorAt !== null
  const action = isReplaced ? 'person.replace_second_factor' : 'person.set_up_second_factor'
  await recordOwnAct(tx, context, personId, { action, detail: { endedSessions } })
  const person = await findPerson(tx, personId)
  if (person) await mailPerson(tx, context, person.email, letter)
}

function openProposal(
  { clock }: Pick<Context, 'clock'>,
  secrets: Secrets,
  person: Person,
  proposal: string,
): string | undefined {
  try {
    const text = secrets.open(Buffer.from(proposal, 'base64url'), proposalRow(person)).toString()
    const { seed, at } = JSON.parse(text) as { seed: string; at: string }
    return addSeconds(new Date(at), proposalSeconds) > clock.now() ? seed : undefined
  } catch (error) {
    // Cut, of another person, or of a key that is gone: nothing that can be used.
    if (error instanceof SecretsError) return undefined
    throw error
  }
}

function shown({ email }: Person, seed: string, proposal: string): ProposedFactor {
  const totpSecret = totpSecretText(seed)
  return { totpSecret, otpauthUrl: otpauthUrl(email, totpSecret), proposal }
}

function proposalRow({ personId }: Person): string {
  return `second factor proposed to ${personId}`
}

const letter = {
  subject: 'You have a new second factor',
  lines: [
    'A new second factor was set up for your account. Signing in needs a code of it from now on.',
    '',
    'If this was not you, tell an owner of your business at once.',
  ],
}
