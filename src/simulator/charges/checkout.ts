// A hosted checkout: open until it is paid, cancelled, out of attempts or expired. Expiry is not
// stored; the clock decides it.
import type { Clock } from '../../kernel/basics/clock.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Decimal } from '../../kernel/money/decimal.ts'

export type CheckoutStatus = 'open' | 'completed' | 'failed' | 'cancelled'

export type Checkout = {
  readonly tenant: Tenant
  readonly id: string
  readonly txRef: string
  readonly amount: Decimal
  readonly currency: string
  readonly redirectUrl: string | null
  readonly title: string | null
  readonly customerEmail: string
  readonly customerName: string | null
  readonly customerPhone: string | null
  readonly meta: string
  readonly subaccounts: string
  readonly retriesMax: number
  readonly status: CheckoutStatus
  readonly expiresAt: Date
  readonly createdAt: Date
  // How many cards were tried.
  readonly attempts: number
}

export function isExpired(checkout: Checkout, clock: Clock): boolean {
  return checkout.status === 'open' && clock.now() >= checkout.expiresAt
}

export const linkPath = '/simulator/pay'

export function checkoutPath(id: string): string {
  return `${linkPath}/${id}`
}

export type ReturnStatus = 'successful' | 'pending' | 'failed' | 'cancelled'

// Where the browser is redirected at the end. A cancelled checkout names no transaction.
export function returnUrl(
  { redirectUrl, txRef }: Checkout,
  status: ReturnStatus,
  chargeId?: bigint,
): string | undefined {
  if (!redirectUrl) return undefined
  const url = new URL(redirectUrl)
  url.searchParams.set('status', status)
  url.searchParams.set('tx_ref', txRef)
  if (chargeId !== undefined) url.searchParams.set('transaction_id', String(chargeId))
  return url.href
}
