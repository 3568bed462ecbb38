// The payer's steps at a hosted checkout. Every step locks the checkout first. A step that no
// longer fits (a second click, an old page, another tab) changes nothing, and the payer sees the
// current state.
import type { Tx } from '../../kernel/db/database.ts'
import type { SimulatorContext } from '../context.ts'
import { consumeRules } from '../rules/consume-rules.ts'
import { planSteps } from '../steps/plan-steps.ts'
import { deleteOpenSteps } from '../steps/step-store.ts'
import { type World, worldOf } from '../world.ts'
import { authenticatePayer } from './authenticate-payer.ts'
import { type CardWay, findCard } from './cards.ts'
import type { Awaits, Charge } from './charge.ts'
import {
  insertCharge,
  listChargesByReference,
  lockCharge,
  updateAbandonedCharges,
  updateCharge,
} from './charge-store.ts'
import { type Checkout, isExpired } from './checkout.ts'
import { findCheckout, lockCheckout, updateCheckoutStatus } from './checkout-store.ts'
import { decideCharge, failCharge } from './finish-charge.ts'
import { newCharge } from './new-charge.ts'
import { noteEvent } from './report-charge.ts'

// The message that the payer sees before trying again; undefined if the step succeeded.
export type Objection = string | undefined

export type PayerStep =
  // `attempts` is the number that the page showed, so that an old page starts nothing.
  | { readonly kind: 'card'; readonly number: string; readonly attempts: number }
  | { readonly kind: Awaits; readonly value: string; readonly chargeId: bigint }
  | { readonly kind: 'cancel' }

export async function takePayerStep(
  context: SimulatorContext,
  checkoutId: string,
  step: PayerStep,
): Promise<Objection> {
  const found = await findCheckout(context.database.sql, checkoutId)
  if (!found) return undefined
  const world = await worldOf(context, found.tenant)
  const objection = await context.database.transaction(async (tx) => {
    const checkout = await lockCheckout(tx, found.tenant, checkoutId)
    if (checkout?.status !== 'open' || isExpired(checkout, context.clock)) {
      return undefined
    }
    if (step.kind === 'card') return beginCharge(tx, context, world, checkout, step)
    if (step.kind === 'cancel') return cancelCheckout(tx, world, checkout)
    return continueCharge(tx, context, world, checkout, step)
  })
  context.background.wake()
  return objection
}

// The current charge of a checkout, if a card was tried.
export async function findCurrentCharge(
  context: SimulatorContext,
  checkout: Checkout,
): Promise<Charge | undefined> {
  const charges = await listChargesByReference(
    context.database.sql,
    checkout.tenant,
    checkout.txRef,
  )
  return charges.find(({ checkoutId }) => checkoutId === checkout.id)
}

async function beginCharge(
  tx: Tx,
  context: SimulatorContext,
  world: World,
  checkout: Checkout,
  { number, attempts }: { number: string; attempts: number },
): Promise<Objection> {
  if (attempts !== checkout.attempts) return undefined
  const card = findCard(number)
  if (!card) return 'This is not one of the test cards. Do not use a real card here.'
  await updateAbandonedCharges(tx, world.tenant, checkout.txRef)
  const { amount, txRef } = checkout
  const effects = await consumeRules(tx, world, 'charge', ['charge'], { amount, reference: txRef })
  const awaits = firstStep[card.way]
  const charge = { ...newCharge(context, checkout, card, effects), checkoutId: checkout.id, awaits }
  const id = await insertCharge(tx, world.tenant, charge)
  if (id === undefined) return 'Duplicate transaction reference: this was already paid.'
  const begun: Charge = { ...charge, id, settlementId: null, settledAt: null }
  await noteEvent(tx, context, world, begun, 'Card details submitted', 'charge')
  if (awaits === null) {
    const counted = { ...checkout, attempts: checkout.attempts + 1 }
    await decideCharge(tx, context, world, begun, counted)
    return undefined
  }
  const subject = { kind: 'charge', id } as const
  await planSteps(tx, world.tenant, subject, checkout.expiresAt, context.clock.now(), [
    { step: 'time_out', afterMs: 0 },
  ])
  return undefined
}

const firstStep: Record<CardWay, Awaits | null> = {
  pin: 'pin',
  '3ds': '3ds',
  address: 'address',
  none: null,
}

// How many wrong PINs or codes the bank accepts before it declines.
const triesMax = 3

async function continueCharge(
  tx: Tx,
  context: SimulatorContext,
  world: World,
  checkout: Checkout,
  { kind, value, chargeId }: { kind: Awaits; value: string; chargeId: bigint },
): Promise<Objection> {
  const charge = await lockCharge(tx, world.tenant, chargeId)
  if (charge?.checkoutId !== checkout.id || charge.awaits !== kind) return undefined
  const verdict = authenticatePayer(kind, value, findCard(charge.cardNumber)?.declines)
  if (verdict.kind === 'next') {
    await updateCharge(tx, world.tenant, { ...charge, awaits: verdict.awaits, tries: 0 })
    return undefined
  }
  if (verdict.kind === 'done') {
    await decideCharge(tx, context, world, charge, checkout)
    return undefined
  }
  if (verdict.kind === 'wrong' && charge.tries + 1 < triesMax) {
    await updateCharge(tx, world.tenant, { ...charge, tries: charge.tries + 1 })
    return verdict.message
  }
  await deleteOpenSteps(tx, world.tenant, { kind: 'charge', id: charge.id })
  await failCharge(tx, context, world, charge, verdict.reason, checkout)
  return undefined
}

async function cancelCheckout(
  tx: Tx,
  { tenant }: World,
  { id, txRef }: Checkout,
): Promise<undefined> {
  await updateAbandonedCharges(tx, tenant, txRef)
  await updateCheckoutStatus(tx, tenant, id, 'cancelled')
  return undefined
}
