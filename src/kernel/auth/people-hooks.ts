// Our additions to better-auth's endpoints, for pages and programs alike: tries are counted and
// slowed down; a one-time code works once; a device is never trusted to skip the second factor; a
// session records when the second factor was proven.
import type { GenericEndpointContext } from 'better-auth'
import {
  APIError,
  createAuthMiddleware,
  getIP,
  getSessionFromCtx,
  isAPIError,
} from 'better-auth/api'
import type { Context } from '../db/context.ts'
import type { KnownDevices } from './known-device.ts'
import type { Secrets } from './secrets.ts'
import {
  type CodeTry,
  countCodeTry,
  countSignInTry,
  forgetCodeTries,
  forgetSignInTry,
  type Refused,
  type SignInTry,
} from './sign-in-limits.ts'
import { openSessionPath } from './sign-in-link.ts'
import { spendCode } from './spend-code.ts'

const passwordPath = '/sign-in/email'
const totpPath = '/two-factor/verify-totp'
const backupCodePath = '/two-factor/verify-backup-code'

const provingPaths: ReadonlySet<string> = new Set([totpPath, backupCodePath, openSessionPath])

export const usedCode = 'CODE_USED'

export type WaitSeconds = (seconds: number) => Promise<void>
type Limits = { readonly devices: KnownDevices; readonly waitSeconds: WaitSeconds }

export function beforeEndpoint(context: Context, secrets: Secrets, limits: Limits) {
  return createAuthMiddleware(async (endpoint) => {
    if (endpoint.path === passwordPath) return limitTries(context, limits, endpoint)
    if (endpoint.path !== totpPath && endpoint.path !== backupCodePath) return
    // Inside a session, better-auth neither counts nor limits tries. These endpoints only finish a
    // sign-in; prove-again.ts asks for the factor again.
    if (await getSessionFromCtx(endpoint)) {
      throw new APIError('BAD_REQUEST', { message: 'You are already signed in.' })
    }
    const person = await findChallenged(endpoint)
    if (person) await limitCodes(context, codeTry(endpoint, limits, person))
    const code = textOf(endpoint, 'code')
    const accepted =
      endpoint.path === totpPath ? await spendCodeOf(context, secrets, person, code) : code
    return { context: { body: { code: accepted, trustDevice: false, disableSession: false } } }
  })
}

export function afterEndpoint(context: Context, limits: Limits) {
  return createAuthMiddleware(async (endpoint) => {
    if (isAPIError(endpoint.context.returned)) return
    if (endpoint.path === passwordPath) {
      await forgetSignInTry(context, signInTry(endpoint, limits))
    } else if (endpoint.path === totpPath || endpoint.path === backupCodePath) {
      const person = endpoint.context.newSession?.user
      if (person) await forgetCodeTries(context, codeTry(endpoint, limits, person))
    }
  })
}

export function describeNewSession(context: Context) {
  return async <T extends object>(session: T, endpoint: GenericEndpointContext | null) => {
    const now = context.clock.now()
    const proven = endpoint?.path !== undefined && provingPaths.has(endpoint.path)
    const secondFactorAt = proven ? now : null
    const passwordAt = endpoint?.path === openSessionPath ? null : now
    return { data: { ...session, lastSeenAt: now, secondFactorAt, passwordAt } }
  }
}

async function limitTries(
  context: Context,
  limits: Limits,
  endpoint: GenericEndpointContext,
): Promise<void> {
  const counted = await countSignInTry(context, signInTry(endpoint, limits))
  if ('retryAfterSeconds' in counted) throw tooManyTries(counted)
  if (counted.delaySeconds > 0) await limits.waitSeconds(counted.delaySeconds)
}

async function limitCodes(context: Context, attempt: CodeTry): Promise<void> {
  const refused = await countCodeTry(context, attempt)
  if (refused) throw tooManyTries(refused)
}

function tooManyTries({ retryAfterSeconds }: Refused): APIError {
  return new APIError(
    'TOO_MANY_REQUESTS',
    { message: 'Too many tries.' },
    { 'retry-after': String(retryAfterSeconds) },
  )
}

type Challenged = { readonly id: string; readonly email: string }

// The person who has entered the right password, which starts the challenge.
async function findChallenged(endpoint: GenericEndpointContext): Promise<Challenged | undefined> {
  const auth = endpoint.context
  const cookie = auth.createAuthCookie('two_factor')
  const challenge = await endpoint.getSignedCookie(cookie.name, auth.secret)
  if (!challenge) return undefined
  const verification = await auth.internalAdapter.findVerificationValue(challenge)
  if (!verification) return undefined
  return (await auth.internalAdapter.findUserById(verification.value)) ?? undefined
}

// Returns the code if it belongs to an unused time step. A wrong one becomes an empty text, which
// better-auth refuses. The step is claimed before better-auth checks it, so of two requests with
// one code only one passes. The other gets a clear message, which reveals nothing without the right
// password.
async function spendCodeOf(
  context: Context,
  secrets: Secrets,
  person: Challenged | undefined,
  code: string,
): Promise<string> {
  if (!person) return ''
  const outcome = await spendCode(context, secrets, person.id, code)
  if (outcome === 'wrong') return ''
  if (outcome === 'right') return code
  throw new APIError('UNAUTHORIZED', { code: usedCode, message: 'This code was already used.' })
}

function signInTry(endpoint: GenericEndpointContext, { devices }: Limits): SignInTry {
  const address = endpoint.headers ? getIP(endpoint.headers, endpoint.context.options) : null
  const email = textOf(endpoint, 'email')
  return { email, address: address ?? 'unknown', isKnownDevice: isKnown(endpoint, devices, email) }
}

function codeTry(
  endpoint: GenericEndpointContext,
  { devices }: Limits,
  { id, email }: Challenged,
): CodeTry {
  return { personId: id, isKnownDevice: isKnown(endpoint, devices, email) }
}

function isKnown(
  { headers }: GenericEndpointContext,
  devices: KnownDevices,
  email: string,
): boolean {
  return headers !== undefined && devices.isKnown(headers, email)
}

// Hooks run before the body is checked, so a field may be missing or have any type.
function textOf(endpoint: GenericEndpointContext, field: string): string {
  const body: unknown = endpoint.body
  if (typeof body !== 'object' || body === null || !(field in body)) return ''
  const value = (body as Record<string, unknown>)[field]
  return typeof value === 'string' ? value : ''
}
