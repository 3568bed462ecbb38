// The addresses of hosted pages. The reference in the address names business, environment and
// object, so that the page reads one row of one tenant. No lookup crosses tenants.
//   22 base62 digits (business) + l or t (live or test) + 22 base62 digits (object)
// References are printed on paper, so this format must stay readable for ever.
import { decodeUuid, encodeUuid, uuidDigits } from './base62.ts'
import type { Tenant } from './tenant.ts'

export type HostedObject = { readonly tenant: Tenant; readonly id: string }

export function hostedReference({ businessId, environment }: Tenant, id: string): string {
  return encodeUuid(businessId) + (environment === 'live' ? 'l' : 't') + encodeUuid(id)
}

const digit = '[0-9A-Za-z]'
const pattern = new RegExp(`^(${digit}{${uuidDigits}})([lt])(${digit}{${uuidDigits}})$`)

export function parseHostedReference(text: string): HostedObject | undefined {
  const [, business, letter, object] = pattern.exec(text) ?? []
  if (business === undefined || object === undefined) return undefined
  const businessId = decodeUuid(business)
  const id = decodeUuid(object)
  if (businessId === undefined || id === undefined) return undefined
  return { tenant: { businessId, environment: letter === 'l' ? 'live' : 'test' }, id }
}
