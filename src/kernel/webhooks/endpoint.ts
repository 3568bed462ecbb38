// A webhook endpoint: an address to which the events of a business are sent, and the secret that
// signs them.
import { encodeBase62 } from '../basics/base62.ts'
import type { Ids } from '../basics/id.ts'

export type Endpoint = {
  readonly id: string
  readonly service: string
  readonly url: string
  // Null: every event of the service.
  readonly eventTypes: readonly string[] | null
  // Off: switched off after too many failures in a row; its deliveries are on hold.
  readonly state: 'on' | 'off' | 'deleted'
  readonly stateSince: Date
  readonly failuresInRow: number
  // While its secret is being rotated: until when the old one signs too.
  readonly oldSecretUntil: Date | null
  readonly createdAt: Date
}

export type NewEndpoint = Pick<Endpoint, 'id' | 'service' | 'url' | 'eventTypes' | 'createdAt'> & {
  readonly secretSealed: Buffer
}

// The row that a sealed secret is bound to.
export function endpointSecretRow(id: string): string {
  return `kernel.webhook_endpoints/${id}`
}

const secretBytes = 32
// The fewest that hold 256 bits.
const secretDigits = 43

// The HMAC key is the whole text, prefix included.
export function newEndpointSecret(ids: Ids): string {
  const value = BigInt(`0x${ids.randomBytes(secretBytes).toString('hex')}`)
  return `whsec_${encodeBase62(value, secretDigits)}`
}
