// A request that a key of a business made to one of the APIs. Nothing of its query, headers or
// bodies is kept, since they may contain secrets.
import type { Tenant } from '../basics/tenant.ts'

export type ApiRequest = {
  // Begins with its time.
  readonly id: string
  readonly keyId: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly durationMs: number
  readonly requestId: string
  readonly address: string
}

export type NewApiRequest = Tenant & ApiRequest

export const requestMethods = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'] as const
export const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const
