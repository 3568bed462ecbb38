// The payer came back. The outcome in the URL proves nothing, so the provider is asked.

import type { HostedObject } from '../../kernel/basics/hosted-reference.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { MerchantContext } from '../context.ts'
import type { OrderLine } from '../payment-links/payment-link-item.ts'
import { listPaymentItems } from '../payment-links/payment-link-item-store.ts'
import { isCollected, isOpen, type Payment } from '../payments/payment.ts'
import { findPayment } from '../payments/payment-store.ts'
import { abandonPayment, resolvePayment } from '../payments/resolve-payment.ts'
import type { Refund } from '../refunds/refund.ts'
import { listRefundsOfPayment } from '../refunds/refund-store.ts'
import { findUnmatchedMoney } from './checkout-store.ts'
import type { Invoices } from './invoice-offer.ts'
import type { Offer } from './offer.ts'
import { openOfferOf } from './open-offer.ts'

export type Finished = {
  readonly payment: Payment
  readonly offer: Offer
  // What it was for, if the link has items.
  readonly lines: readonly OrderLine[]
  readonly outcome: 'success' | 'cancelled' | 'waiting'
  // Money that arrived although the payment is not paid.
  readonly money: StrayMoney
  // More than the amount that was asked for.
  readonly excess: Excess | undefined
}

export type Excess = {
  readonly amountMinor: bigint
  readonly state: 'going_back' | 'returned' | 'kept'
}

// kept: until a person decides.
export type StrayMoney = 'none' | 'going_back' | 'kept'

// Whether the provider may be asked about a payment that has ended. A payer who loads the page
// again and again must not become as many calls of the provider.
export type MayAskAgain = (paymentId: string) => Promise<boolean>

type ReturnOptions = {
  // The payer cancelled on the provider's page, which ends its session. Only the payer has this
  // URL, so it is trusted, unless the provider has a charge. A charge of a saved card is processing
  // from the start, without a page, so it can't be cancelled this way.
  readonly saysCancelled: boolean
  readonly mayAskAgain: MayAskAgain
}

export async function finishCheckout(
  context: MerchantContext & { readonly invoices?: Invoices },
  { tenant, id }: HostedObject,
  { saysCancelled, mayAskAgain }: ReturnOptions,
): Promise<Finished | undefined> {
  const before = await findPayment(context.database.sql, tenant, id)
  if (!before) return undefined
  const isAsked = isOpen(before) || (await mayAskAgain(id))
  const resolved = isAsked
    ? await resolvePayment(context, tenant, id)
    : { payment: before, charge: 'unknown' as const }
  if (!resolved) return undefined
  let { payment } = resolved
  if (saysCancelled && payment.status === 'pending' && resolved.charge === 'none') {
    payment = await abandonPayment(context, tenant, id, 'cancelled by the payer')
  }
  const offer = await openOfferOf(context, tenant, payment)
  if (!offer) return undefined
  const outcome = outcomeOf(payment)
  const refunds = await listRefundsOfPayment(context.database.sql, tenant, id)
  const money = outcome === 'cancelled' ? await strayMoney(context, tenant, id, refunds) : 'none'
  const { sql } = context.database
  const lines = payment.isItemised ? await listPaymentItems(sql, tenant, [id]) : []
  return { payment, offer, lines, outcome, money, excess: excessOf(payment, refunds) }
}

async function strayMoney(
  { database: { sql } }: MerchantContext,
  tenant: Tenant,
  paymentId: string,
  refunds: readonly Refund[],
): Promise<StrayMoney> {
  if (!(await findUnmatchedMoney(sql, tenant, paymentId))) return 'none'
  return refunds.some(({ status }) => status !== 'failed') ? 'going_back' : 'kept'
}

// What a paid payment did not need: too much, or paid twice.
function excessOf(payment: Payment, refunds: readonly Refund[]): Excess | undefined {
  const extra = refunds.filter(
    ({ cause }) => cause === 'overpayment' || cause === 'repeated_charge',
  )
  if (!isCollected(payment) || extra.length === 0) return undefined
  const amountMinor = extra.reduce((sum, refund) => sum + refund.amountMinor, 0n)
  const statuses = extra.map(({ status }) => status)
  if (statuses.some((status) => status === 'failed' || status === 'reversed')) {
    return { amountMinor, state: 'kept' }
  }
  const isBack = statuses.every((status) => status === 'settled')
  return { amountMinor, state: isBack ? 'returned' : 'going_back' }
}

function outcomeOf(payment: Payment): Finished['outcome'] {
  if (isCollected(payment)) return 'success'
  return isOpen(payment) ? 'waiting' : 'cancelled'
}
