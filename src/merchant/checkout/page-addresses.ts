// The URLs of the payers' pages.
import { hostedReference } from '../../kernel/basics/hosted-reference.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'

export function linkUrl(publicUrl: string, tenant: Tenant, id: string): string {
  return `${publicUrl}/pay/l/${hostedReference(tenant, id)}`
}

export function qrCodeUrl(publicUrl: string, tenant: Tenant, id: string): string {
  return `${publicUrl}/pay/q/${hostedReference(tenant, id)}`
}

export function subscriptionUrl(publicUrl: string, tenant: Tenant, id: string): string {
  return `${publicUrl}/pay/s/${hostedReference(tenant, id)}`
}
