// Reads the link, code or subscription of a hosted page, and whether it can be paid now.
import { assertDefined } from '../../kernel/basics/assert.ts'
import { type HostedObject, hostedReference } from '../../kernel/basics/hosted-reference.ts'
import { withoutDirectionMarks } from '../../kernel/basics/one-line.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { findBrand } from '../../kernel/brand/brand-store.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import type { Account } from '../business/business.ts'
import { findAccount } from '../business/business-store.ts'
import type { MerchantContext } from '../context.ts'
import { type ItemisedLink, linkState } from '../payment-links/payment-link.ts'
import { isSoldOut } from '../payment-links/payment-link-item.ts'
import { readPaymentLink } from '../payment-links/read-payment-links.ts'
import type { Payment } from '../payments/payment.ts'
import type { QrCode } from '../qr-codes/qr-code.ts'
import { findQrCode } from '../qr-codes/qr-code-store.ts'
import { listOpenPaymentIds } from '../subscriptions/period-store.ts'
import { intervalOf } from '../subscriptions/plan.ts'
import { findPlan } from '../subscriptions/plan-store.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { findSubscription } from '../subscriptions/subscription-store.ts'
import type { Invoices, ToldInvoice } from './invoice-offer.ts'
import { linkAmountMinorMax, type Offer, type OfferState, type Price } from './offer.ts'

export async function openLinkOffer(
  context: MerchantContext,
  { tenant, id }: HostedObject,
): Promise<Offer | undefined> {
  const { sql } = context.database
  const link = await readPaymentLink(sql, tenant, id)
  if (!link) return undefined
  const { account, brand } = await findPayee(sql, tenant)
  return plain({
    ...pick(link),
    tenant,
    kind: 'link',
    path: `/pay/l/${hostedReference(tenant, id)}`,
    merchantName: account.name,
    brand,
    title: link.title,
    imageUrl: link.imageUrl,
    payerFields: link.payerFields,
    price:
      link.items.length > 0
        ? { kind: 'items', items: link.items }
        : priceOf(link.amountMinor, link.presetAmountMinor),
    state: closedOr(account, tenant.environment, payableState(link, context.clock.now())),
  })
}

export async function openCodeOffer(
  context: MerchantContext,
  { tenant, id }: HostedObject,
): Promise<Offer | undefined> {
  const { sql } = context.database
  const code = await findQrCode(sql, tenant, id)
  if (!code) return undefined
  const { account, brand } = await findPayee(sql, tenant)
  const isOpen = code.mode === 'open_amount'
  return plain({
    ...pick(code),
    tenant,
    kind: 'code',
    path: `/pay/q/${hostedReference(tenant, id)}`,
    merchantName: account.name,
    brand,
    title: code.description ?? `Payment to ${account.name}`,
    isUntitled: code.description === null,
    description: null,
    imageUrl: null,
    price: isOpen ? priceOf(null, code.amountMinor) : priceOf(code.amountMinor, null),
    state: closedOr(account, tenant.environment, codeState(code)),
  })
}

// The first period, or one whose charge has failed.
export async function openSubscriptionOffer(
  context: MerchantContext,
  { tenant, id }: HostedObject,
): Promise<Offer | undefined> {
  const { sql } = context.database
  const subscription = await findSubscription(sql, tenant, id)
  if (!subscription) return undefined
  const { planId, payerEmail, payerName } = subscription
  const plan = assertDefined(await findPlan(sql, tenant, planId), 'a subscription without a plan')
  const { account, brand } = await findPayee(sql, tenant)
  const isTaken = (await listOpenPaymentIds(sql, tenant, id)).length > 0
  const { amountMinor, currency } = plan
  return plain({
    tenant,
    kind: 'subscription',
    id,
    path: `/pay/s/${hostedReference(tenant, id)}`,
    merchantName: account.name,
    brand,
    title: plan.name,
    description: null,
    interval: intervalOf(plan),
    imageUrl: null,
    currency,
    price: { kind: 'fixed', amountMinor },
    returnUrl: null,
    splitRecipientId: null,
    payer: { email: payerEmail, name: payerName },
    state: closedOr(account, tenant.environment, subscriptionState(subscription, isTaken)),
  })
}

export async function openInvoiceOffer(
  context: MerchantContext,
  tenant: HostedObject['tenant'],
  told: ToldInvoice,
): Promise<Offer> {
  const { id, path, currency, dueMinor, takesParts, payer, invoice } = told
  const { account, brand } = await findPayee(context.database.sql, tenant)
  return plain({
    tenant,
    kind: 'invoice',
    id,
    path,
    merchantName: account.name,
    brand,
    title: `Invoice ${invoice.number}`,
    description: null,
    imageUrl: null,
    currency,
    price: { kind: takesParts ? 'part' : 'fixed', amountMinor: dueMinor },
    returnUrl: null,
    splitRecipientId: null,
    ...(payer.email !== null && { payer: { email: payer.email, name: payer.name } }),
    state: await invoiceState(context, tenant, account, told),
    invoice,
  })
}

async function invoiceState(
  context: MerchantContext,
  tenant: HostedObject['tenant'],
  account: Account,
  { currency, dueMinor, isVoid, takesPayments }: ToldInvoice,
): Promise<OfferState> {
  if (isVoid) return 'disabled'
  if (dueMinor <= 0n) return 'paid'
  const { supports } = await context.providerFor(tenant)
  const isPossible =
    takesPayments &&
    supports(currency) &&
    dueMinor <= linkAmountMinorMax(currencyOf(currency).decimals) &&
    closedOr(account, tenant.environment, 'payable') === 'payable'
  return isPossible ? 'payable' : 'offline'
}

// The offer that a payment was for, to lead the payer back to it.
export async function openOfferOf(
  context: MerchantContext & { readonly invoices?: Invoices },
  tenant: HostedObject['tenant'],
  payment: Payment,
): Promise<Offer | undefined> {
  if (payment.invoiceId) return context.invoices?.openById(tenant, payment.invoiceId)
  if (payment.paymentLinkId) return openLinkOffer(context, { tenant, id: payment.paymentLinkId })
  if (payment.qrCodeId) return openCodeOffer(context, { tenant, id: payment.qrCodeId })
  const id = payment.subscriptionId ?? payment.cardSubscriptionId
  const offer = id === null ? undefined : await openSubscriptionOffer(context, { tenant, id })
  if (!offer || payment.cardSubscriptionId === null) return offer
  // A card is changed on the subscriber's page, to which the id of a payment must not lead.
  return { ...offer, kind: 'card', state: 'used' }
}

async function findPayee(sql: Sql, { businessId }: Tenant) {
  const [account, brand] = await Promise.all([
    findAccount(sql, businessId),
    findBrand(sql, businessId),
  ])
  return { account: assertDefined(account, 'an offer without a business'), brand }
}

// Names and titles that were stored before direction marks were removed from them.
function plain(offer: Offer): Offer {
  return {
    ...offer,
    merchantName: withoutDirectionMarks(offer.merchantName),
    title: withoutDirectionMarks(offer.title),
    description: offer.description && withoutDirectionMarks(offer.description),
  }
}

function subscriptionState({ status }: Subscription, isTaken: boolean): OfferState {
  if (status === 'cancelled') return 'disabled'
  if (status === 'active') return 'used'
  return isTaken ? 'taken' : 'payable'
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

function payableState(link: ItemisedLink, now: Date): OfferState {
  const state = linkState(link, now)
  if (state !== 'active') return state
  return link.items.length > 0 && isSoldOut(link.items) ? 'soldOut' : 'payable'
}

function codeState({ state, reservedBy }: QrCode): OfferState {
  if (state !== 'active') return state
  return reservedBy === null ? 'payable' : 'taken'
}

function closedOr(account: Account, environment: string, state: OfferState): OfferState {
  return environment === 'live' && account.kycStatus !== 'verified' ? 'closed' : state
}
