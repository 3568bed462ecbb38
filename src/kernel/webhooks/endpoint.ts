// A webhook endpoint: an address that receives the events of a business, and the secret that signs
// them.
import { encodeBase62 } from '../basics/base62.ts'
import type { Ids } from '../basics/id.ts'

export type Endpoint = {
  readonly id: string
  readonly service: string
  readonly url: string
  // Null means every event of the service.
  readonly eventTypes: readonly string[] | null
  // Off: switched off after too many failures in a row; its deliveries are on hold.
  readonly state: 'on' | 'off' | 'deleted'
  readonly stateSince: Date
  readonly failuresInRow: number
  // During a rotation: until when the old secret also signs.
  readonly oldSecretUntil: Date | null
  readonly createdAt: Date
}

export type NewEndpoint = Pick<Endpoint, 'id' | 'service' | 'url' | 'eventTypes' | 'createdAt'> & {
  readonly secretSealed: Buffer
}

// The row to which an encrypted secret is bound.
export function endpointSecretRow(id: string): string {
  return `kernel.webhook_endpoints/${id}`
}

const secretBytes = 32
// The fewest digits that hold 256 bits.
const secretDigits = 43

// The HMAC key is the whole text, including the prefix.
export function newEndpointSecret(ids: Ids): string {
  const value = BigInt(`0x${ids.randomBytes(secretBytes).toString('hex')}`)
  return `whsec_${encodeBase62(value, secretDigits)}`
}
