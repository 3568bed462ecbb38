import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Payment } from '../payments/payment.ts'
import type { Provider } from '../provider/provider.ts'
import { matchProviderRefund, type RefundMatch } from './match-provider-refund.ts'
import { isInFlight, type Refund, refundInstruction } from './refund.ts'
import { listRefundsOfPayment } from './refund-store.ts'

// Reads the provider's list of the payment's refunds. Unknown if it can't be read, or if another
// refund is in flight that an entry might belong to.
export async function findProviderRefund(
  { database }: Context,
  tenant: Tenant,
  provider: Provider,
  payment: Payment,
  refund: Refund,
): Promise<RefundMatch | 'unknown'> {
  const { transactionId } = refundInstruction(payment, refund)
  const listed = await provider.listRefunds(transactionId)
  if (listed.kind !== 'success') return 'unknown'
  // Read after the provider's list: every entry of the list is then known here, or its refund is in
  // flight.
  const ours = await listRefundsOfPayment(database.sql, tenant, payment.id)
  const isAlone = !ours.some((other) => other.id !== refund.id && isInFlight(other))
  if (refund.providerRefundId === null && !isAlone) return 'unknown'
  return matchProviderRefund(refund, ours, listed.value)
}
