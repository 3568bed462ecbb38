// An endpoint: an address that a business wants to be told at, and the secret with which what it
// is told is signed. A service asks its own questions of it; this is what all of them share.
import { encodeBase62 } from '../basics/base62.ts'
import type { Ids } from '../basics/id.ts'

export type Endpoint = {
  readonly id: string
  readonly service: string
  readonly url: string
  // Null: every event of the service.
  readonly eventTypes: readonly string[] | null
  // Off: switched off after too many failures in a row; what was on its way waits.
  readonly state: 'on' | 'off' | 'deleted'
  readonly stateSince: Date
  readonly failuresInRow: number
  // While its secret is being changed: until when the old one signs too.
  readonly oldSecretUntil: Date | null
  readonly createdAt: Date
}

export type NewEndpoint = Pick<Endpoint, 'id' | 'service' | 'url' | 'eventTypes' | 'createdAt'> & {
  readonly secretSealed: Buffer
}

// What the secret is bound to at rest.
export function endpointSecretRow(id: string): string {
  return `kernel.webhook_endpoints/${id}`
}

const secretBytes = 32
// The least that holds 256 bits.
const secretDigits = 43

// Receivers key their check with the whole text, prefix included.
export function newEndpointSecret(ids: Ids): string {
  const value = BigInt(`0x${ids.randomBytes(secretBytes).toString('hex')}`)
  return `whsec_${encodeBase62(value, secretDigits)}`
}
