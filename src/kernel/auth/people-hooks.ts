// What we add to better-auth's endpoints, whoever calls them, page or program:
// tries are counted per account and address; a one-time code works once; a device is never
// trusted to skip the second factor; a session knows when the second factor was proven.
import type { GenericEndpointContext } from 'better-auth'
import {
  APIError,
  createAuthMiddleware,
  getIP,
  getSessionFromCtx,
  isAPIError,
} from 'better-auth/api'
import type { Context } from '../db/context.ts'
import { findTotpStep } from './person-totp.ts'
import { seedRow } from './second-factor.ts'
import type { Secrets } from './secrets.ts'
import { countSignInTry, forgetSignInTry, type SignInTry } from './sign-in-limits.ts'
import { findTotpSecret, updateTotpStep } from './two-factor-store.ts'

const passwordPath = '/sign-in/email'
const totpPath = '/two-factor/verify-totp'
const backupCodePath = '/two-factor/verify-backup-code'

export const usedCode = 'CODE_USED'

export function beforeEndpoint(context: Context, secrets: Secrets) {
  return createAuthMiddleware(async (endpoint) => {
    if (endpoint.path === passwordPath) return limitTries(context, endpoint)
    if (endpoint.path !== totpPath && endpoint.path !== backupCodePath) return
    // Inside a session better-auth neither counts nor limits tries. Proving the factor again needs
    // a way of its own; until there is one, these endpoints finish a sign-in and nothing else.
    if (await getSessionFromCtx(endpoint)) {
      throw new APIError('BAD_REQUEST', { message: 'You are signed in already.' })
    }
    const code = textOf(endpoint, 'code')
    const accepted =
      endpoint.path === totpPath ? await spendCode(context, secrets, endpoint, code) : code
    return { context: { body: { code: accepted, trustDevice: false, disableSession: false } } }
  })
}

export function afterEndpoint(context: Context) {
  return createAuthMiddleware(async (endpoint) => {
    if (endpoint.path !== passwordPath || isAPIError(endpoint.context.returned)) return
    await forgetSignInTry(context, signInTry(endpoint))
  })
}

export function describeNewSession(context: Context) {
  return async <T extends object>(session: T, endpoint: GenericEndpointContext | null) => {
    const now = context.clock.now()
    const proven = endpoint?.path === totpPath || endpoint?.path === backupCodePath
    return { data: { ...session, lastSeenAt: now, secondFactorAt: proven ? now : null } }
  }
}

async function limitTries(context: Context, endpoint: GenericEndpointContext): Promise<void> {
  const refused = await countSignInTry(context, signInTry(endpoint))
  if (!refused) return
  throw new APIError(
    'TOO_MANY_REQUESTS',
    { message: 'Too many tries.' },
    { 'retry-after': String(refused.retryAfterSeconds) },
  )
}

// The code when it belongs to a time step that nobody used yet. A wrong one becomes an empty text,
// which better-auth refuses and counts. The step is claimed before better-auth looks, so of two
// requests with one code only one can pass; the other is told so, which says nothing to anybody who
// has not given the right password, since only that makes the challenge.
async function spendCode(
  context: Context,
  secrets: Secrets,
  endpoint: GenericEndpointContext,
  code: string,
): Promise<string> {
  const auth = endpoint.context
  const cookie = auth.createAuthCookie('two_factor')
  const challenge = await endpoint.getSignedCookie(cookie.name, auth.secret)
  if (!challenge) return ''
  const verification = await auth.internalAdapter.findVerificationValue(challenge)
  if (!verification) return ''
  const personId = verification.value
  const sealed = await findTotpSecret(context.database.sql, personId)
  if (!sealed) return ''
  const seed = secrets.open(sealed, seedRow(personId)).toString()
  const step = findTotpStep(seed, code, context.clock.now())
  if (step === undefined) return ''
  if (await updateTotpStep(context.database.sql, personId, step)) return code
  throw new APIError('UNAUTHORIZED', { code: usedCode, message: 'This code was used already.' })
}

function signInTry(endpoint: GenericEndpointContext): SignInTry {
  const address = endpoint.headers ? getIP(endpoint.headers, endpoint.context.options) : null
  return { email: textOf(endpoint, 'email'), address: address ?? 'unknown' }
}

// Hooks run before the body is checked, so a field may be missing or anything else.
function textOf(endpoint: GenericEndpointContext, field: string): string {
  const body: unknown = endpoint.body
  if (typeof body !== 'object' || body === null || !(field in body)) return ''
  const value = (body as Record<string, unknown>)[field]
  return typeof value === 'string' ? value : ''
}
