// People: accounts, sign-in and memberships. better-auth stores accounts, sessions and the second
// factor; memberships and roles are ours. The rest of the program sees only the type `People`.
import { addSeconds } from '../basics/clock.ts'
import { Fault, permissionDenied } from '../basics/fault.ts'
import type { Context } from '../db/context.ts'
import type { Tx } from '../db/database.ts'
import type { Actor, Role } from './actor.ts'
import { addMembership } from './add-membership.ts'
import { createPerson } from './create-person.ts'
import type { KnownDevices } from './known-device.ts'
import type { Membership } from './membership.ts'
import { listMembershipsOfPerson } from './membership-store.ts'
import { passkeySignIn } from './passkey-sign-in.ts'
import type { PasskeyAnswer, PasskeyRequest } from './passkeys.ts'
import { type Auth, createAuth, knownDevices } from './people-auth.ts'
import {
  type CreatedPerson,
  lastSeenEverySeconds,
  type NewPerson,
  normaliseEmail,
  type ProposedFactor,
  type Session,
  sessionIdleSeconds,
} from './person.ts'
import { findOrInsertPeopleSecret } from './person-store.ts'
import { proveAgain } from './prove-again.ts'
import { sealOlderFactors } from './second-factor.ts'
import { peopleSecretRow, type Secrets } from './secrets.ts'
import { deleteSession, findSessionOfMember, updateSessionSeen } from './session-store.ts'
import { setUpCode } from './set-up-code.ts'
import {
  type ConfirmedFactor,
  confirmSecondFactor,
  hasRecentPassword,
  proposeSecondFactor,
} from './set-up-second-factor.ts'
import {
  type Caller,
  finishSignIn,
  headersFor,
  type SignInOutcome,
  signInWithPassword,
  tooManyTriesMessage,
  usedCodeMessage,
} from './sign-in.ts'
import { createSignInLinks, type SignInLinks } from './sign-in-link.ts'

export type People = {
  readonly publicUrl: string
  createPerson(person: NewPerson): Promise<CreatedPerson>
  // Done by `actor`, or by the system.
  addMembership(
    tx: Tx,
    businessId: string,
    personId: string,
    role: Role,
    actor?: Actor,
  ): Promise<void>
  listMemberships(personId: string): Promise<Membership[]>
  // A passive request, which no one made by hand, does not count as use of the session.
  findSession(
    headers: Headers,
    options?: { readonly isPassive?: boolean | undefined },
  ): Promise<Session | undefined>
  // Only shortly after the password was entered.
  maySetUpSecondFactor(session: Session): boolean
  // It counts after the first code.
  proposeSecondFactor(session: Session, earlier?: string): ProposedFactor
  confirmSecondFactor(
    session: Session,
    sent: { readonly proposal: string; readonly code: string },
  ): Promise<ConfirmedFactor>
  // For a visit that lasts: whether the session and the membership are still there.
  isStillMember(session: Session, businessId: string): Promise<boolean>
  // A code of the second factor, or the password of a person without one. Undefined if it is right;
  // otherwise what to tell the person.
  proveAgain(session: Session, typed: string): Promise<string | undefined>
  signIn(caller: Caller, email: string, password: string): Promise<SignInOutcome>
  finishSignIn(caller: Caller, code: string): Promise<SignInOutcome>
  // Undefined where the address of the server allows no passkeys, or the person has none.
  requestPasskey(session?: Session): Promise<PasskeyRequest | undefined>
  // The cookies of the new session; undefined if the answer is not right.
  signInWithPasskey(
    caller: Caller,
    answer: PasskeyAnswer,
  ): Promise<{ setCookies: string[] } | undefined>
  proveByPasskey(session: Session, answer: PasskeyAnswer): Promise<string | undefined>
  signOut(caller: Caller): Promise<{ setCookies: string[] }>
  readonly signInLinks: SignInLinks
  // The one-time code with which a new server is set up, the same in every process.
  readonly setUpCode: string
  // For an act outside the browser; counts towards the same limits as signing in there. Throws
  // when there were too many tries, or when everything is right but the code was used.
  verifyPasswordAndCode(
    email: string,
    password: string,
    code: string,
  ): Promise<{ personId: string } | undefined>
}

export type PeopleOptions = {
  publicUrl: string
  secrets: Secrets
  // How a try that has to wait does so; tests don't.
  waitSeconds?: (seconds: number) => Promise<void>
}

export async function createPeople(context: Context, options: PeopleOptions): Promise<People> {
  const { publicUrl, secrets, waitSeconds } = options
  const secret = await peopleSecret(context, secrets)
  const auth = createAuth(context, { publicUrl, secret, secrets, waitSeconds })
  const devices = knownDevices(publicUrl, secret)
  const { secretConfig } = await auth.$context
  await sealOlderFactors(context.database.sql, secrets, secretConfig)
  const findSession: People['findSession'] = (headers, options) =>
    findLiveSession(context, auth, headers, options)
  return {
    publicUrl,
    findSession,
    createPerson: (person) => createPerson(context, secrets, person),
    addMembership: (tx, businessId, personId, role, actor) =>
      addMembership(tx, context, { businessId, personId, role }, actor),
    listMemberships: (personId) => listMembershipsOfPerson(context.database.sql, personId),
    maySetUpSecondFactor: (session) => hasRecentPassword(session, context.clock.now()),
    proposeSecondFactor: (session, earlier) =>
      proposeSecondFactor(context, secrets, session, earlier),
    confirmSecondFactor: (session, sent) => confirmSecondFactor(context, secrets, session, sent),
    isStillMember: async ({ sessionId }, businessId) =>
      (await findSessionOfMember(context.database.sql, businessId, sessionId)) !== undefined,
    proveAgain: (session, typed) => proveAgain(context, secrets, session, typed),
    async signIn(caller, email, password) {
      const before = await findSession(caller.headers)
      const credentials = { email: email.trim(), password }
      const outcome = await signInWithPassword(auth, caller, credentials, devices)
      const passed = outcome.kind === 'signed_in' || outcome.kind === 'code_needed'
      // The browser forgets the old session now, so the server deletes it too.
      if (before && passed) await deleteSession(context.database.sql, before.sessionId)
      return outcome
    },
    finishSignIn: (caller, code) => finishSignIn(auth, caller, code, devices),
    ...passkeySignIn({ ...context, secrets, publicUrl }, auth, devices),
    signOut: (caller) => signOut(context, auth, caller),
    setUpCode: setUpCode(secret),
    signInLinks: createSignInLinks(context, { auth, devices, publicUrl }),
    verifyPasswordAndCode: (email, password, code) =>
      verifyPasswordAndCode(context, { auth, devices }, { email, password, code }),
  }
}

// A random secret, encrypted in the database, so that a new SECRETS_KEY opens it like any other
// secret. A secret derived from the key would lock out everyone with a second factor when the key
// changes.
async function peopleSecret(context: Context, secrets: Secrets): Promise<string> {
  const fresh = secrets.seal(context.ids.randomBytes(32), peopleSecretRow)
  const sealed = await findOrInsertPeopleSecret(context.database.sql, fresh)
  return secrets.open(sealed, peopleSecretRow).toString('base64')
}

async function findLiveSession(
  context: Context,
  auth: Auth,
  headers: Headers,
  { isPassive = false }: { readonly isPassive?: boolean | undefined } = {},
): Promise<Session | undefined> {
  const found = await auth.api.getSession({ headers })
  if (!found) return undefined
  const { session, user } = found
  const now = context.clock.now()
  const idleSince = addSeconds(now, -sessionIdleSeconds)
  if (session.lastSeenAt <= idleSince || session.expiresAt <= now) {
    await deleteSession(context.database.sql, session.id)
    return undefined
  }
  if (!isPassive && session.lastSeenAt <= addSeconds(now, -lastSeenEverySeconds)) {
    await updateSessionSeen(context.database.sql, session.id, now)
  }
  const secondFactorAt = session.secondFactorAt ?? null
  return {
    sessionId: session.id,
    personId: user.id,
    email: user.email,
    name: user.name,
    secondFactor: secondFactorAt ? 'proven' : 'missing',
    secondFactorAt,
    passwordAt: session.passwordAt ?? null,
  }
}

// better-auth reports success even if it could not delete the session. We delete it first, so that
// a failure is reported.
async function signOut(context: Context, auth: Auth, caller: Caller) {
  const headers = headersFor(caller)
  const found = await auth.api.getSession({ headers })
  if (found) await deleteSession(context.database.sql, found.session.id)
  const response = await auth.api.signOut({ headers, asResponse: true })
  return { setCookies: response.headers.getSetCookie() }
}

async function verifyPasswordAndCode(
  context: Context,
  { auth, devices }: { auth: Auth; devices: KnownDevices },
  proof: { email: string; password: string; code: string },
): Promise<{ personId: string } | undefined> {
  // The terminal of the server counts as a device that is known, so that the tries of strangers
  // don't keep anyone from it.
  const device = devices.cookieFor(normaliseEmail(proof.email) ?? '')
  const caller = (cookies: string[]): Caller => ({
    headers: new Headers({
      cookie: [device, ...cookies].map((cookie) => cookie.split(';')[0]).join('; '),
    }),
    address: '127.0.0.1',
  })
  const first = await signInWithPassword(auth, caller([]), proof, devices)
  // A person without a second factor now has a session, which is not wanted here.
  const outcome =
    first.kind === 'code_needed'
      ? await finishSignIn(auth, caller(first.setCookies), proof.code, devices)
      : first
  if (outcome.kind === 'code_used') throw permissionDenied(usedCodeMessage)
  if (outcome.kind === 'too_many_tries') {
    const { retryAfterSeconds } = outcome
    throw new Fault('rate_limited', tooManyTriesMessage(outcome), { retryAfterSeconds })
  }
  if (outcome.kind !== 'signed_in') return undefined
  const session = await findLiveSession(context, auth, caller(outcome.setCookies).headers)
  if (session) await deleteSession(context.database.sql, session.sessionId)
  return session?.secondFactor === 'proven' ? { personId: session.personId } : undefined
}
