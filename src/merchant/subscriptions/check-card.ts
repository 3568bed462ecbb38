// A subscriber replaces the card. The provider saves a card only with a charge, so a small amount
// is charged to the new card and refunded as soon as it has succeeded. It pays for no period, and
// the old card stays until then: whatever happens to the check, the subscription can be charged.
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { powerOfTen } from '../../kernel/money/decimal.ts'
import type { MerchantContext } from '../context.ts'
import { voidPayment } from '../payments/cancel-payment.ts'
import type { FactStep } from '../payments/fact-step.ts'
import { refundBySystem } from '../payments/record-unmatched-charge.ts'
import type { Provider } from '../provider/provider.ts'
import { listCardChecksUnderWay } from './period-store.ts'
import { cardOf } from './saved-card.ts'
import type { Subscription } from './subscription.ts'
import { lockSubscription, updateSubscription } from './subscription-store.ts'

// Small, and still accepted by cards, in major units: one, or for units of little worth so many.
const checkAmounts: Readonly<Record<string, bigint>> = {
  ...{ JPY: 100n, RWF: 500n, UGX: 1000n, XAF: 100n, XOF: 100n, TZS: 1000n, MWK: 500n },
  ...{ ARS: 500n, COP: 2000n, INR: 50n, ETB: 50n, EGP: 10n, SLE: 10n, ZMW: 10n, ZAR: 10n },
}

export function cardCheckMinor(
  { refundMinimumMinor }: Pick<Provider, 'refundMinimumMinor'>,
  currency: string,
): bigint {
  const usualMinor = (checkAmounts[currency] ?? 1n) * powerOfTen(currencyOf(currency).decimals)
  const leastMinor = refundMinimumMinor(currency)
  return usualMinor > leastMinor ? usualMinor : leastMinor
}

export function mayChangeCard({ status }: Pick<Subscription, 'status'>): boolean {
  return status === 'active' || status === 'past_due'
}

// An earlier check whose page is open is given up, so that one card is checked at a time. False if
// the provider is deciding about one, or the subscription has ended. Payments are locked before
// their subscription.
export async function reserveCardCheck(
  tx: Tx,
  context: MerchantContext,
  tenant: Tenant,
  subscriptionId: string,
): Promise<boolean> {
  const actor = { ...tenant, kind: 'system', name: 'subscriber' } as const
  for (const paymentId of await listCardChecksUnderWay(tx, tenant, subscriptionId)) {
    await voidPayment(tx, context, actor, paymentId)
  }
  const subscription = await lockSubscription(tx, tenant, subscriptionId)
  if (!subscription || !mayChangeCard(subscription)) return false
  return (await listCardChecksUnderWay(tx, tenant, subscriptionId)).length === 0
}

// The card works. In the transaction that collects the payment, which is locked. The refund is owed
// in any case.
export async function collectCard(step: FactStep): Promise<void> {
  const { tx, context, tenant, payment, fact } = step
  const { cardSubscriptionId: id } = payment
  if (id === null) return
  const found = await lockSubscription(tx, tenant, id)
  const subscription = assertDefined(found, 'a card of no subscription')
  const card = mayChangeCard(subscription) && cardOf(context, subscription, payment, fact)
  if (card) {
    const { payerLocale } = payment
    const updatedAt = context.clock.now()
    const changes = { ...card, ...(payerLocale !== null && { payerLocale }), updatedAt }
    await updateSubscription(tx, tenant, id, changes)
    await recordAct(
      tx,
      context,
      { ...tenant, kind: 'system', name: 'subscriber' },
      {
        action: 'subscription.change_card',
        objectKind: 'subscription',
        objectId: id,
        detail: { paymentId: payment.id },
      },
    )
  }
  await refundBySystem(step, 'card_check', payment.amountMinor)
}
