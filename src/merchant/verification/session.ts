// A verification session gives access to the dossier of a business to anyone with its address,
// until the dossier is submitted or the address expires.
//   open the owner fills it in
//   submitted the verifier decides
//   verified, rejected, expired: ended
// The dossier itself (details, documents, owners) belongs to the business and outlives sessions, so
// that a rejected business only corrects what was wrong.
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

// Time to find a certificate of registration, but not so long that a forgotten address stays open.
export const sessionSeconds = 7 * 24 * 60 * 60

export function isExpired({ status, expiresAt }: Session, now: Date): boolean {
  return status === 'expired' || now >= expiresAt
}

export const tokenBytes = 32
// The length of that many bytes in base64url.
const tokenLength = 43

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export function isTokenOf({ tokenHash }: Session, token: string): boolean {
  return timingSafeEqual(tokenHash, hashToken(token))
}

// The associated data of the encrypted token.
export function tokenRow(sessionId: string): string {
  return `merchant.verification_sessions/${sessionId}`
}

export type Address = { readonly tenant: Tenant; readonly id: string; readonly token: string }

// The reference names the row, so that no lookup crosses tenants; the token opens it.
export function addressPath({ tenant, id, token }: Address): string {
  return `/verify/${hostedReference(tenant, id)}${token}`
}

export function parseAddress(text: string): Address | undefined {
  const hosted = parseHostedReference(text.slice(0, -tokenLength))
  const token = text.slice(-tokenLength)
  return hosted && /^[\w-]+$/.test(token) ? { ...hosted, token } : undefined
}

// The verifier's references of the session, and of each identity check.
export function identityReference({ id, identityAttempts }: Session): string {
  return `${id}.${identityAttempts}`
}
