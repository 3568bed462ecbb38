// Reads what a hosted page is about: the link or code, and whether it can be paid now.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Account } from '../business/business.ts'
import { findAccount } from '../business/business-store.ts'
import type { MerchantContext } from '../context.ts'
import { linkState } from '../payment-links/payment-link.ts'
import { findLink } from '../payment-links/payment-link-store.ts'
import type { Payment } from '../payments/payment.ts'
import type { QrCode } from '../qr-codes/qr-code.ts'
import { findQrCode } from '../qr-codes/qr-code-store.ts'
import { type HostedObject, hostedReference } from './hosted-reference.ts'
import type { Offer, OfferState, Price } from './offer.ts'

export async function openLinkOffer(
  context: MerchantContext,
  { tenant, id }: HostedObject,
): Promise<Offer | undefined> {
  const { sql } = context.database
  const link = await findLink(sql, tenant, id)
  if (!link) return undefined
  const account = assertDefined(await findAccount(sql, tenant.businessId), 'a link of nobody')
  const state = linkState(link, context.clock.now())
  return {
    ...pick(link),
    tenant,
    kind: 'link',
    path: `/pay/l/${hostedReference(tenant, id)}`,
    merchantName: account.name,
    title: link.title,
    imageUrl: link.imageUrl,
    price: priceOf(link.amountMinor, link.presetAmountMinor),
    state: closedOr(account, tenant.environment, state === 'active' ? 'payable' : state),
  }
}

export async function openCodeOffer(
  context: MerchantContext,
  { tenant, id }: HostedObject,
): Promise<Offer | undefined> {
  const { sql } = context.database
  const code = await findQrCode(sql, tenant, id)
  if (!code) return undefined
  const account = assertDefined(await findAccount(sql, tenant.businessId), 'a code of nobody')
  return {
    ...pick(code),
    tenant,
    kind: 'code',
    path: `/pay/q/${hostedReference(tenant, id)}`,
    merchantName: account.name,
    title: code.description ?? `Payment to ${account.name}`,
    description: null,
    imageUrl: null,
    price: priceOf(code.amountMinor, null),
    state: closedOr(account, tenant.environment, codeState(code)),
  }
}

// What the payment was for, to lead the payer back to it.
export async function openOfferOf(
  context: MerchantContext,
  tenant: HostedObject['tenant'],
  payment: Payment,
): Promise<Offer | undefined> {
  if (payment.paymentLinkId) return openLinkOffer(context, { tenant, id: payment.paymentLinkId })
  if (payment.qrCodeId) return openCodeOffer(context, { tenant, id: payment.qrCodeId })
  return undefined
}

function pick<T extends Pick<Offer, 'id' | 'description' | 'currency' | 'returnUrl'>>(
  source: T & { readonly splitRecipientId: string | null },
) {
  const { id, description, currency, returnUrl, splitRecipientId } = source
  return { id, description, currency, returnUrl, splitRecipientId }
}

function priceOf(amountMinor: bigint | null, presetAmountMinor: bigint | null): Price {
  if (amountMinor !== null) return { kind: 'fixed', amountMinor }
  if (presetAmountMinor !== null) return { kind: 'suggested', amountMinor: presetAmountMinor }
  return { kind: 'open' }
}

function codeState({ state, reservedBy }: QrCode): OfferState {
  if (state !== 'active') return state
  return reservedBy === null ? 'payable' : 'taken'
}

function closedOr(account: Account, environment: string, state: OfferState): OfferState {
  return environment === 'live' && account.kycStatus !== 'verified' ? 'closed' : state
}
