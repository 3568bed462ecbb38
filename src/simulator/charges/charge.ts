// A charge, which the provider calls a transaction, in the provider's format: the id is a number in
// a single transaction and text in a list.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Decimal } from '../../kernel/money/decimal.ts'
import { parseJson } from '../../kernel/money/exact-number.ts'
import { type Effect, findEffect } from '../rules/rule.ts'
import { authModels, findCard } from './cards.ts'

export type ChargeStatus = 'pending' | 'successful' | 'failed'
export type Awaits = 'pin' | 'otp' | '3ds' | 'address'

export type Charge = {
  readonly id: bigint
  readonly checkoutId: string | null
  readonly txRef: string
  readonly flwRef: string
  readonly amount: Decimal
  readonly currency: string
  readonly chargedAmount: Decimal
  readonly appFee: Decimal
  readonly merchantFee: Decimal
  readonly amountSettled: Decimal
  readonly refunded: Decimal
  readonly status: ChargeStatus
  readonly awaits: Awaits | null
  readonly tries: number
  readonly processorResponse: string
  readonly cardNumber: string
  readonly token: string
  readonly customerEmail: string
  readonly customerName: string | null
  readonly customerPhone: string | null
  // JSON text: the merchant's data, and the outcome.
  readonly meta: string
  readonly subaccounts: string
  readonly shares: string
  readonly effects: readonly Effect[]
  readonly settlementId: bigint | null
  readonly settledAt: Date | null
  readonly createdAt: Date
}

export function presentCharge(charge: Charge, accountId: bigint) {
  return {
    ...core(charge, accountId),
    card: presentCard(charge),
    meta: emptyToNull(parseJson(charge.meta)),
    // Known once the charge has settled.
    amount_settled: charge.settledAt ? charge.amountSettled : null,
    customer: presentCustomer(charge),
  }
}

export function presentChargeInList(charge: Charge, accountId: bigint) {
  const presented = presentCharge(charge, accountId)
  const ids = { id: String(charge.id), tx_ref: visibleReference(charge) }
  return { ...presented, ...ids, account_id: String(accountId) }
}

// Charges of other programs on the same account may have no reference.
export function visibleReference({ txRef, effects }: Charge): string | null {
  return findEffect(effects, 'hide_reference') ? null : txRef
}

// A charge as one endpoint of the provider reports it. Endpoints can contradict each other.
export function asReported(
  charge: Charge,
  effect: 'contradict_in_list' | 'contradict_in_verify',
): Charge {
  if (charge.status === 'pending' || !findEffect(charge.effects, effect)) return charge
  return { ...charge, status: charge.status === 'failed' ? 'successful' : 'failed' }
}

export function chargeWebhook(charge: Charge, accountId: bigint) {
  const { token: _, ...card } = presentCard(charge)
  return {
    event: 'charge.completed',
    data: { ...core(charge, accountId), customer: presentCustomer(charge), card },
    meta_data: parseJson(charge.meta),
    'event.type': 'CARD_TRANSACTION',
  }
}

function core(charge: Charge, accountId: bigint) {
  return {
    id: charge.id,
    tx_ref: charge.txRef,
    flw_ref: charge.flwRef,
    device_fingerprint: 'N/A',
    amount: charge.amount,
    currency: charge.currency,
    charged_amount: charge.chargedAmount,
    app_fee: charge.appFee,
    merchant_fee: charge.merchantFee,
    processor_response: charge.processorResponse,
    auth_model: authModels[cardOf(charge).way],
    ip: '127.0.0.1',
    narration: 'CARD Transaction ',
    status: charge.status,
    payment_type: 'card',
    created_at: charge.createdAt.toISOString(),
    account_id: accountId,
  }
}

function presentCard(charge: Charge) {
  const card = cardOf(charge)
  return {
    first_6digits: card.number.slice(0, 6),
    last_4digits: card.number.slice(-4),
    issuer: `${card.type} CREDIT`,
    country: 'NIGERIA NG',
    type: card.type,
    token: charge.token,
    expiry: card.expiry,
  }
}

function presentCustomer(charge: Charge) {
  return {
    id: charge.id,
    name: charge.customerName ?? 'Anonymous customer',
    phone_number: charge.customerPhone ?? 'N/A',
    email: charge.customerEmail,
    created_at: charge.createdAt.toISOString(),
  }
}

function cardOf({ cardNumber }: Charge) {
  return assertDefined(findCard(cardNumber), 'a charge on a card that is no test card')
}

function emptyToNull(meta: unknown): unknown {
  return meta && typeof meta === 'object' && Object.keys(meta).length === 0 ? null : meta
}
