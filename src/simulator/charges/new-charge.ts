import { zeroDecimal } from '../../kernel/money/decimal.ts'
import type { SimulatorContext } from '../context.ts'
import { providerReference } from '../envelope.ts'
import type { Effect } from '../rules/rule.ts'
import type { TestCard } from './cards.ts'
import type { NewCharge } from './charge-store.ts'
import type { Checkout } from './checkout.ts'

type Order = Pick<
  Checkout,
  | 'txRef'
  | 'amount'
  | 'currency'
  | 'customerEmail'
  | 'customerName'
  | 'customerPhone'
  | 'meta'
  | 'subaccounts'
>

// A new charge: no money is taken yet, so fee and shares are zero.
export function newCharge(
  { clock, ids }: SimulatorContext,
  order: Order,
  card: TestCard,
  effects: readonly Effect[],
): NewCharge {
  const { txRef, amount, currency, customerEmail, customerName, customerPhone } = order
  return {
    checkoutId: null,
    txRef,
    flwRef: providerReference(ids, 'FLW-MOCK-'),
    amount,
    currency,
    chargedAmount: amount,
    appFee: zeroDecimal,
    merchantFee: zeroDecimal,
    amountSettled: zeroDecimal,
    refunded: zeroDecimal,
    status: 'pending',
    awaits: null,
    tries: 0,
    processorResponse: 'Pending, validation',
    cardNumber: card.number,
    token: `flw-t1nf-${ids.randomBytes(16).toString('hex')}-m03k`,
    customerEmail,
    customerName,
    customerPhone,
    meta: order.meta,
    subaccounts: order.subaccounts,
    shares: '[]',
    effects,
    createdAt: clock.now(),
  }
}
