// Sign-in for the pages and the command line: password, then the code. Both use better-auth's
// endpoints, so that there is one set of rules. The result is an outcome and the cookies to set; it
// never says which of e-mail and password was wrong.
import { isAPIError } from 'better-auth/api'
import type { KnownDevices } from './known-device.ts'
import { type Auth, addressHeader } from './people-auth.ts'
import { usedCode } from './people-hooks.ts'

export type Caller = { headers: Headers; address: string }

export type SignInOutcome =
  | { kind: 'signed_in'; setCookies: string[] }
  | { kind: 'code_needed'; setCookies: string[] }
  | { kind: 'refused'; setCookies: string[] }
  // After the right password: the code is right too, but was already used.
  | { kind: 'code_used'; setCookies: string[] }
  // The sign-in took too long or was tried too often: it starts again with the password.
  | { kind: 'start_again'; setCookies: string[] }
  | { kind: 'too_many_tries'; setCookies: string[]; retryAfterSeconds: number }

export const usedCodeMessage = 'This code was already used. Wait for the next one.'

export function tooManyTriesMessage({ retryAfterSeconds }: { retryAfterSeconds: number }): string {
  const minutes = Math.ceil(retryAfterSeconds / 60)
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
  return `Too many tries. Wait ${wait}, then try again.`
}

export async function signInWithPassword(
  auth: Auth,
  caller: Caller,
  credentials: { email: string; password: string },
  devices: KnownDevices,
): Promise<SignInOutcome> {
  const request = { body: credentials, headers: headersFor(caller), asResponse: true as const }
  const response = await answerOf(auth.api.signInEmail(request))
  const outcome = await refusalOf(response)
  if (outcome) return outcome
  const body = (await response.json()) as { twoFactorRedirect?: boolean } & SignedInBody
  const setCookies = response.headers.getSetCookie()
  if (body.twoFactorRedirect) return { kind: 'code_needed', setCookies }
  return { kind: 'signed_in', setCookies: withDevice(devices, setCookies, body) }
}

const totpPattern = /^\d{6}$/

export async function finishSignIn(
  auth: Auth,
  caller: Caller,
  typed: string,
  devices: KnownDevices,
): Promise<SignInOutcome> {
  const code = typed.replace(/\s/g, '').toLowerCase()
  const request = { body: { code }, headers: headersFor(caller), asResponse: true as const }
  const response = await answerOf(
    totpPattern.test(code) ? auth.api.verifyTOTP(request) : auth.api.verifyBackupCode(request),
  )
  const outcome = await refusalOf(response)
  if (outcome) return outcome
  const body = (await response.json()) as SignedInBody
  const setCookies = response.headers.getSetCookie()
  return { kind: 'signed_in', setCookies: withDevice(devices, setCookies, body) }
}

type SignedInBody = { readonly user: { readonly email: string } }

function withDevice(
  devices: KnownDevices,
  setCookies: readonly string[],
  { user }: SignedInBody,
): string[] {
  return [...setCookies, devices.cookieFor(user.email)]
}

// Passes on only the headers that better-auth needs.
export function headersFor(caller: Caller): Headers {
  const headers = new Headers({ [addressHeader]: caller.address })
  for (const name of ['cookie', 'user-agent']) {
    const value = caller.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return headers
}

// better-auth turns errors of its endpoints into responses, but not those of our hooks.
async function answerOf(answer: Promise<Response>): Promise<Response> {
  try {
    return await answer
  } catch (error) {
    if (!isAPIError(error)) throw error
    return Response.json(error.body ?? {}, { status: error.statusCode, headers: error.headers })
  }
}

const challengeGone = new Set([
  'INVALID_TWO_FACTOR_COOKIE',
  'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE',
  'TOTP_NOT_ENABLED',
])

async function refusalOf(response: Response): Promise<SignInOutcome | undefined> {
  if (response.ok) return undefined
  const setCookies = response.headers.getSetCookie()
  if (response.status === 429) {
    const retryAfterSeconds = Number(response.headers.get('retry-after') ?? 60)
    return { kind: 'too_many_tries', setCookies, retryAfterSeconds }
  }
  const body = (await response.json()) as { code?: string }
  if (response.status >= 500) throw new Error(`signing in failed: ${body.code ?? response.status}`)
  if (body.code && challengeGone.has(body.code)) return { kind: 'start_again', setCookies }
  return { kind: body.code === usedCode ? 'code_used' : 'refused', setCookies }
}
