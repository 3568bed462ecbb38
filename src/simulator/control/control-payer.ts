// Pays a checkout in one call, for tests and benchmarks, with the same steps as the pages.
import { Fault } from '../../kernel/basics/fault.ts'
import { testOtp, testPin } from '../charges/cards.ts'
import { type Charge, presentCharge } from '../charges/charge.ts'
import type { Checkout, ReturnStatus } from '../charges/checkout.ts'
import { returnUrl } from '../charges/checkout.ts'
import { findCheckout, findNewestCheckout } from '../charges/checkout-store.ts'
import { findCurrentCharge, type PayerStep, takePayerStep } from '../charges/pay-checkout.ts'
import type { SimulatorContext } from '../context.ts'
import type { Endpoint } from '../endpoint.ts'
import { type Fields, optionalText, refuse, requiredText } from '../fields.ts'
import type { World } from '../world.ts'

export const pay: Endpoint = {
  method: 'POST',
  path: '/pay',
  async handle(context, world, { body }) {
    const checkout = await openCheckout(context, world, body)
    const card = optionalText(body, 'card') ?? 'no_auth'
    await step(context, checkout, { kind: 'card', number: card, attempts: checkout.attempts })
    let charge = await findCurrentCharge(context, checkout)
    while (charge?.awaits) {
      const { id: chargeId, awaits: kind } = charge
      await step(context, checkout, { kind, chargeId, value: answers(body)[kind] })
      charge = await findCurrentCharge(context, checkout)
    }
    if (!charge) throw refuse('The checkout is no longer open')
    const after = (await findCheckout(context.database.sql, checkout.id)) ?? checkout
    return {
      status: 200,
      body: {
        checkout: after.status,
        redirect_url: returnUrl(after, statusOf(charge), charge.id) ?? null,
        transaction: presentCharge(charge, world.accountId),
      },
    }
  },
}

export const cancel: Endpoint = {
  method: 'POST',
  path: '/cancel',
  async handle(context, world, { body }) {
    const checkout = await openCheckout(context, world, body)
    await takePayerStep(context, checkout.id, { kind: 'cancel' })
    const after = (await findCheckout(context.database.sql, checkout.id)) ?? checkout
    const redirect_url = returnUrl(after, 'cancelled') ?? null
    return { status: 200, body: { checkout: after.status, redirect_url } }
  },
}

async function openCheckout(
  { database }: SimulatorContext,
  { tenant }: World,
  body: Fields,
): Promise<Checkout> {
  const txRef = requiredText(body, 'tx_ref')
  const checkout = await findNewestCheckout(database.sql, tenant, txRef)
  if (!checkout) throw new Fault('not_found', 'There is no checkout with this tx_ref')
  return checkout
}

async function step(
  context: SimulatorContext,
  checkout: Checkout,
  payerStep: PayerStep,
): Promise<void> {
  const objection = await takePayerStep(context, checkout.id, payerStep)
  // A wrong PIN counts as a try; an error about the card itself ends the call.
  if (objection !== undefined && payerStep.kind === 'card') throw refuse(objection)
}

function answers(body: Fields) {
  return {
    pin: optionalText(body, 'pin') ?? testPin,
    otp: optionalText(body, 'otp') ?? testOtp,
    '3ds': optionalText(body, 'three_d_secure') ?? 'approve',
    address: optionalText(body, 'address') ?? '1 Test Street',
  }
}

function statusOf({ status }: Charge): ReturnStatus {
  return status
}
