// A verification session: a door to the dossier of a business, for whoever has its address, until
// the dossier is handed in or the address is too old.
//   open       the owner fills it in
//   submitted  handed in; the verifier decides
//   verified, rejected, expired: over
// The dossier itself (details, documents, owners) belongs to the business and outlives sessions, so
// that a rejected business corrects what was wrong and retypes nothing.
import { createHash, timingSafeEqual } from 'node:crypto'
import { hostedReference, parseHostedReference } from '../../kernel/basics/hosted-reference.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'

export type SessionStatus = 'open' | 'submitted' | 'verified' | 'rejected' | 'expired'
export type IdentityStatus = 'none' | 'waiting' | 'passed' | 'failed'

export type Session = {
  readonly id: string
  readonly status: SessionStatus
  readonly tokenHash: Buffer
  readonly tokenSealed: Buffer
  readonly identityOwnerId: string | null
  readonly identityAttempts: number
  readonly identityStatus: IdentityStatus
  readonly rejectionReason: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly expiresAt: Date
  readonly submittedAt: Date | null
  readonly decidedAt: Date | null
  readonly nextLookAt: Date | null
}

// Time to find a certificate of registration, and not so long that a forgotten address stays open.
export const sessionSeconds = 7 * 24 * 60 * 60

export function isExpired({ status, expiresAt }: Session, now: Date): boolean {
  return status === 'expired' || now >= expiresAt
}

export const tokenBytes = 32
// As base64url writes that many bytes.
const tokenLength = 43

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export function isTokenOf({ tokenHash }: Session, token: string): boolean {
  return timingSafeEqual(tokenHash, hashToken(token))
}

// What the sealed token is bound to.
export function tokenRow(sessionId: string): string {
  return `merchant.verification_sessions/${sessionId}`
}

export type Address = { readonly tenant: Tenant; readonly id: string; readonly token: string }

// The reference names the row, so that no look-up goes across tenants; the token opens it.
export function addressPath({ tenant, id, token }: Address): string {
  return `/verify/${hostedReference(tenant, id)}${token}`
}

export function parseAddress(text: string): Address | undefined {
  const hosted = parseHostedReference(text.slice(0, -tokenLength))
  const token = text.slice(-tokenLength)
  return hosted && /^[\w-]+$/.test(token) ? { ...hosted, token } : undefined
}

// The verifier knows the session, and each attempt at its check of identity, under these.
export function identityReference({ id, identityAttempts }: Session): string {
  return `${id}.${identityAttempts}`
}
