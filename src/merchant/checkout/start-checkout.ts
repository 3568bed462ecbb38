// Pay was pressed. Three steps, so that no transaction is open while we wait for the provider:
//   reserve: record the pending payment, and hold its items, a single-use code or a period for it;
//   execute: ask the provider for its payment page, with the payment's reference;
//   settle:  store the URL of that page.
// A crash in between leaves a pending payment without a page. Pressing Pay again finds it by the
// form's token and asks again; otherwise the poller lets it time out.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { MerchantContext } from '../context.ts'
import type { Pause } from '../pauses/pause.ts'
import { voidPayment } from '../payments/cancel-payment.ts'
import { failPayment } from '../payments/fail-payment.ts'
import { isOpen, type Payment } from '../payments/payment.ts'
import { lockPayment, updatePayment } from '../payments/payment-store.ts'
import { providerOf } from '../provider/choose-provider.ts'
import { checkoutActor, minutesLeft, type PressedPay, reserveOrNot } from './reserve-checkout.ts'
import type { NotFree } from './reserve-offer.ts'
import { splitInstruction } from './split-checkout.ts'

export type Started =
  // The provider's page.
  | { readonly kind: 'hand_over'; readonly url: string; readonly paymentId: string }
  // This click was handled before: the state of the payment is shown.
  | { readonly kind: 'known'; readonly payment: Payment }
  | { readonly kind: NotFree }
  | { readonly kind: 'paused'; readonly pause: Pause }
  // The form has made its last payment: the payer needs a new one.
  | { readonly kind: 'used_up' }
  | { readonly kind: 'unreachable' }

// Each try is a new payment with a new reference. Two are enough unless many click at once.
const triesMax = 5
const refusedReason = 'the payment provider did not accept it'

export async function startCheckout(
  context: MerchantContext,
  pressed: PressedPay,
): Promise<Started> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const started = await tryToStart(context, pressed)
    if (started.kind !== 'overtaken') return started
  }
  return { kind: 'unreachable' }
}

async function tryToStart(context: MerchantContext, pressed: PressedPay): Promise<Tried> {
  const { tenant } = pressed.offer
  // Asked before anything is recorded: without a provider there is no payment.
  const { name } = await context.providerFor(tenant)
  const reserved = await reserveOrNot(context, { ...pressed, provider: name })
  if ('kind' in reserved) return reserved
  const { payment, isNew } = reserved
  context.failpoint('charge.reserved')
  if (payment.status !== 'pending') return { kind: 'known', payment }
  if (payment.checkoutUrl) return handOver(payment.id, payment.checkoutUrl)
  const provider = await providerOf(context, tenant, payment.provider)
  const outcome = await provider.createCheckout(await instruction(context, pressed, payment))
  context.failpoint('charge.page-made')
  const started = await context.database.transaction(async (tx): Promise<Tried> => {
    const now = assertDefined(await lockPayment(tx, tenant, payment.id), 'a payment vanished')
    // Another click on the same form may have been faster; use its page.
    if (now.checkoutUrl && isOpen(now)) return handOver(now.id, now.checkoutUrl)
    if (now.status === 'cancelled' || now.status === 'failed') return { kind: 'overtaken' }
    if (now.status !== 'pending') return { kind: 'known', payment: now }
    if (outcome.kind === 'unknown') return { kind: 'unreachable' }
    if (outcome.kind === 'refused') {
      context.log.warn({ paymentId: payment.id }, 'the provider refused a checkout')
      // The reference was sent before. It may be refused because it already has a page, whose URL
      // was lost, so try another reference.
      if (!isNew) {
        await voidPayment(tx, context, checkoutActor(tenant), now.id)
        return { kind: 'overtaken' }
      }
      const failed = await failPayment(tx, context, tenant, now, { reason: refusedReason })
      return { kind: 'known', payment: failed }
    }
    const { url: checkoutUrl } = outcome.value
    await updatePayment(tx, tenant, now.id, { checkoutUrl, updatedAt: context.clock.now() })
    context.failpoint('charge.page-keeping')
    return handOver(now.id, checkoutUrl)
  })
  context.failpoint('charge.page-kept')
  return started
}

function handOver(paymentId: string, url: string): Started {
  return { kind: 'hand_over', url, paymentId }
}

// Overtaken: the payment ended while the provider was asked, so a new one starts.
type Tried = Started | { readonly kind: 'overtaken' }

async function instruction(context: MerchantContext, { offer }: PressedPay, payment: Payment) {
  const { tenant } = offer
  return {
    reference: payment.providerReference,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    payerEmail: payment.payerEmail,
    payerName: payment.payerName,
    title: offer.title,
    description: offer.description,
    returnUrl: `${context.publicUrl}${offer.backPath?.(payment.id) ?? returnPath(payment)}`,
    sessionMinutes: minutesLeft(context, payment),
    split: await splitInstruction(context.database.sql, tenant, payment),
    cardOnly: offer.kind === 'subscription' || offer.kind === 'card',
  }
}

function returnPath({ providerReference }: Payment): string {
  return `/pay/return/${providerReference}`
}
