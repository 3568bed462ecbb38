// Passkeys (WebAuthn). The authenticator checks its owner by a fingerprint, a face or a PIN, so a
// passkey counts as both factors. A challenge travels in the page, encrypted, and is spent in the
// database when it is answered: pages that are only looked at write nothing.
//
// The package is loaded on first use, because most requests never need it.
import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransportFuture,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { addSeconds } from '../basics/clock.ts'
import type { Context } from '../db/context.ts'
import {
  findPasskey,
  insertSpentChallenge,
  listPasskeys,
  type Passkey,
  updatePasskeyUsed,
} from './passkey-store.ts'
import { type Secrets, SecretsError } from './secrets.ts'

export type PasskeyContext = Pick<Context, 'database' | 'clock' | 'ids'> & {
  readonly secrets: Secrets
  readonly publicUrl: string
}

// What the page needs: the options for the browser as JSON, and the challenge, encrypted.
export type PasskeyRequest = { readonly options: string; readonly challenge: string }
// What the page sends back.
export type PasskeyAnswer = { readonly challenge: string; readonly response: string }

const challengeSeconds = 10 * 60

// Browsers offer no passkeys to a site without a name.
export function hasPasskeys(publicUrl: string): boolean {
  return isIP(hostOf(publicUrl).replace(/^\[|\]$/g, '')) === 0
}

export async function proposePasskey(
  context: PasskeyContext,
  person: { readonly personId: string; readonly email: string; readonly name: string },
): Promise<PasskeyRequest> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const known = await listPasskeys(context.database.sql, person.personId)
  const options = await generateRegistrationOptions({
    rpName: 'Tillbook',
    rpID: hostOf(context.publicUrl),
    userID: new TextEncoder().encode(person.personId),
    userName: person.email,
    userDisplayName: person.name,
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return request(context, options, person.personId)
}

// Undefined if the answer is not right.
export async function verifyNewPasskey(
  context: PasskeyContext,
  personId: string,
  answer: PasskeyAnswer,
): Promise<Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports'> | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const response = parse<RegistrationResponseJSON>(answer.response)
  const expectedChallenge = await spendChallenge(context, answer, personId)
  if (!response || expectedChallenge === undefined) return undefined
  const verified = await settled(() =>
    verifyRegistrationResponse({ response, expectedChallenge, ...expected(context) }),
  )
  if (!verified?.verified) return undefined
  const { credential } = verified.registrationInfo
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: BigInt(credential.counter),
    transports: credential.transports ?? [],
  }
}

// For a person who signs in, or for one who is signed in and proves it again.
export async function requestPasskey(
  context: PasskeyContext,
  personId?: string,
): Promise<PasskeyRequest> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const known = personId ? await listPasskeys(context.database.sql, personId) : []
  const options = await generateAuthenticationOptions({
    rpID: hostOf(context.publicUrl),
    userVerification: 'required',
    allowCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: [...transports] as AuthenticatorTransportFuture[],
    })),
  })
  return request(context, options, personId)
}

// The person whose passkey answered; undefined if the answer is not right.
export async function verifyPasskey(
  context: PasskeyContext,
  answer: PasskeyAnswer,
  personId?: string,
): Promise<{ personId: string } | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { sql } = context.database
  const response = parse<AuthenticationResponseJSON>(answer.response)
  const expectedChallenge = await spendChallenge(context, answer, personId)
  if (!isCredentialId(response?.id) || expectedChallenge === undefined) return undefined
  const passkey = await findPasskey(sql, response.id)
  if (!passkey || (personId !== undefined && passkey.personId !== personId)) return undefined
  const credential = {
    id: passkey.credentialId,
    publicKey: new Uint8Array(passkey.publicKey),
    counter: Number(passkey.counter),
  }
  const verified = await settled(() =>
    verifyAuthenticationResponse({ response, expectedChallenge, credential, ...expected(context) }),
  )
  if (!verified?.verified) return undefined
  const { newCounter } = verified.authenticationInfo
  await updatePasskeyUsed(sql, passkey, newCounter, context.clock.now())
  return { personId: passkey.personId }
}

// Other text may not even be possible in the database.
function isCredentialId(id: unknown): id is string {
  return typeof id === 'string' && /^[\w-]+$/.test(id)
}

function expected({ publicUrl }: PasskeyContext) {
  return {
    expectedOrigin: new URL(publicUrl).origin,
    expectedRPID: hostOf(publicUrl),
    requireUserVerification: true,
  }
}

function request(
  { secrets, clock }: PasskeyContext,
  options: { readonly challenge: string },
  personId: string | undefined,
): PasskeyRequest {
  const content = { challenge: options.challenge, at: clock.now().toISOString() }
  const sealed = secrets.seal(JSON.stringify(content), challengeRow(personId))
  return { options: JSON.stringify(options), challenge: sealed.toString('base64url') }
}

// The challenge, if it is ours, recent, meant for this person and not answered before.
async function spendChallenge(
  { secrets, clock, database }: PasskeyContext,
  { challenge: sealed }: PasskeyAnswer,
  personId: string | undefined,
): Promise<string | undefined> {
  let text: string
  try {
    const bytes = Buffer.from(sealed, 'base64url')
    text = secrets.open(bytes, challengeRow(personId)).toString()
  } catch (error) {
    if (error instanceof SecretsError) return undefined
    throw error
  }
  const { challenge, at } = JSON.parse(text) as { challenge: string; at: string }
  const expiresAt = addSeconds(new Date(at), challengeSeconds)
  if (expiresAt <= clock.now()) return undefined
  const hash = createHash('sha256').update(challenge).digest()
  return (await insertSpentChallenge(database.sql, hash, expiresAt)) ? challenge : undefined
}

function challengeRow(personId = 'anyone'): string {
  return `passkey challenge for ${personId}`
}

function hostOf(publicUrl: string): string {
  return new URL(publicUrl).hostname
}

function parse<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

// The package throws plain errors for answers that it refuses.
async function settled<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify()
  } catch {
    return undefined
  }
}
