// The outcome of a charge after the payer's last step. Only this file changes its status and the
// wallet. The caller holds the lock of the charge and of its checkout, if any. Lock order: step,
// checkout, charge, wallet.
import type { Tx } from '../../kernel/db/database.ts'
import { add, type Decimal, negate, subtract } from '../../kernel/money/decimal.ts'
import { parseJson, writeJson } from '../../kernel/money/exact-number.ts'
import type { SimulatorContext } from '../context.ts'
import { isPositive, readDecimal, sumOf } from '../decimals.ts'
import type { Fields } from '../fields.ts'
import { findEffect } from '../rules/rule.ts'
import { planSteps } from '../steps/plan-steps.ts'
import { deleteOpenSteps } from '../steps/step-store.ts'
import { listSubaccountsNamed } from '../subaccounts/subaccount-store.ts'
import { insertOrUpdateWallet } from '../wallets/wallet-store.ts'
import { chargeFee, type World } from '../world.ts'
import { findCard } from './cards.ts'
import type { Charge } from './charge.ts'
import { listChargesByReference, updateCharge } from './charge-store.ts'
import type { Checkout } from './checkout.ts'
import { updateCheckoutStatus } from './checkout-store.ts'
import { noteEvent, queueChargeWebhook, recordEffect } from './report-charge.ts'
import { settleCharge } from './settle-charge.ts'
import { computeShares, namedSubaccount, readSplit, type Share } from './split.ts'

// The payer is done; the bank decides.
export async function decideCharge(
  tx: Tx,
  context: SimulatorContext,
  world: World,
  charge: Charge,
  checkout: Checkout | undefined,
): Promise<Charge> {
  await deleteOpenSteps(tx, world.tenant, { kind: 'charge', id: charge.id })
  const { effects } = charge
  const secondThought = findEffect(effects, 'succeed_after_decline')
  const declined = secondThought ?? findEffect(effects, 'decline')
  const reason = declined
    ? (declined.parameters.reason ?? 'Insufficient Funds')
    : findCard(charge.cardNumber)?.declines
  if (reason !== undefined) {
    const failed = await failCharge(tx, context, world, charge, reason, checkout)
    if (secondThought) {
      await planCharge(tx, context, world, charge, 'succeed', secondThought.parameters.afterMs)
    }
    return failed
  }
  const timeout = findEffect(effects, 'succeed_after_timeout')
  if (timeout || findEffect(effects, 'stay_pending')) {
    return leavePending(tx, context, world, charge, checkout, timeout?.parameters.afterMs)
  }
  return succeedCharge(tx, context, world, charge, checkout)
}

async function succeedCharge(
  tx: Tx,
  context: SimulatorContext,
  world: World,
  charge: Charge,
  checkout: Checkout | undefined,
): Promise<Charge> {
  const { tenant } = world
  const now = context.clock.now()
  const paid = paidAmount(charge)
  const appFee = chargeFee(world, paid.amount, paid.currency)
  const net = subtract(paid.amount, appFee)
  const shares = await sharesOf(tx, world, charge, net)
  const successful: Charge = {
    ...charge,
    ...paid,
    chargedAmount: paid.amount,
    appFee,
    amountSettled: subtract(net, sumOf(shares.map(({ amount }) => amount))),
    status: 'successful',
    awaits: null,
    processorResponse: 'Approved. Successful',
    shares: writeJson(shares),
  }
  await updateCharge(tx, tenant, successful)
  const { currency, amountSettled } = successful
  await insertOrUpdateWallet(tx, tenant, { currency, ledger: amountSettled })
  await recordEffect(tx, context, world, successful, 'charge', paid.amount)
  await noteEvent(tx, context, world, successful, 'Payment completed', 'success')
  if (checkout) await updateCheckoutStatus(tx, tenant, checkout.id, 'completed')
  const settleLater = findEffect(charge.effects, 'settle_later')
  if (settleLater) {
    const { afterMs } = settleLater.parameters
    await planCharge(tx, context, world, successful, 'settle', afterMs)
  }
  const settled = settleLater ? successful : await settleCharge(tx, context, world, successful, now)
  await queueChargeWebhook(tx, context, world, settled)
  for (const name of ['reverse', 'charge_back'] as const) {
    const effect = findEffect(charge.effects, name)
    if (effect) await planCharge(tx, context, world, settled, name, effect.parameters.afterMs)
  }
  return settled
}

export async function failCharge(
  tx: Tx,
  context: SimulatorContext,
  world: World,
  charge: Charge,
  reason: string,
  checkout: Checkout | undefined,
): Promise<Charge> {
  const failed: Charge = { ...charge, status: 'failed', awaits: null, processorResponse: reason }
  await updateCharge(tx, world.tenant, failed)
  await noteEvent(tx, context, world, failed, `Payment failed: ${reason}`, 'failure')
  await queueChargeWebhook(tx, context, world, failed)
  // The count includes the first attempt.
  if (checkout && checkout.attempts >= checkout.retriesMax) {
    await updateCheckoutStatus(tx, world.tenant, checkout.id, 'failed')
  }
  return failed
}

// A late success. It must not charge a reference twice: if another attempt is open or has succeeded
// meanwhile, this one takes no money.
export async function succeedLate(
  tx: Tx,
  context: SimulatorContext,
  world: World,
  charge: Charge,
  checkout: Checkout | undefined,
): Promise<void> {
  if (charge.status === 'successful') return
  const others = await listChargesByReference(tx, world.tenant, charge.txRef)
  const isTaken = others.some(({ id, status }) => id !== charge.id && status !== 'failed')
  if (!isTaken) await succeedCharge(tx, context, world, charge, checkout)
}

// The bank takes its time. The payer is redirected without an outcome.
async function leavePending(
  tx: Tx,
  context: SimulatorContext,
  world: World,
  charge: Charge,
  checkout: Checkout | undefined,
  afterTimeoutMs: number | undefined,
): Promise<Charge> {
  const pending: Charge = { ...charge, awaits: null, processorResponse: 'Pending, processing' }
  await updateCharge(tx, world.tenant, pending)
  await noteEvent(tx, context, world, pending, 'Waiting for the issuer', 'pending')
  if (checkout) await updateCheckoutStatus(tx, world.tenant, checkout.id, 'completed')
  const end = checkout?.expiresAt ?? context.clock.now()
  await planCharge(tx, context, world, charge, 'succeed', afterTimeoutMs, end)
  return pending
}

async function planCharge(
  tx: Tx,
  { clock }: SimulatorContext,
  { tenant }: World,
  { id }: Charge,
  step: string,
  afterMs: number | undefined,
  start = clock.now(),
): Promise<void> {
  await planSteps(tx, tenant, { kind: 'charge', id }, start, clock.now(), [{ step, afterMs }])
}

function paidAmount({ amount, currency, effects }: Charge): { amount: Decimal; currency: string } {
  const overpay = findEffect(effects, 'overpay')
  const underpay = findEffect(effects, 'underpay')
  const difference = (overpay ?? underpay)?.parameters.amount
  const other = findEffect(effects, 'other_currency')?.parameters.currency
  if (difference === undefined) return { amount, currency: other ?? currency }
  const change = readDecimal(difference)
  const paid = add(amount, overpay ? change : negate(change))
  // No one can pay less than nothing, so the rule has no effect then.
  return { amount: isPositive(paid) ? paid : amount, currency: other ?? currency }
}

async function sharesOf(tx: Tx, world: World, charge: Charge, net: Decimal): Promise<Share[]> {
  if (findEffect(charge.effects, 'split_not_applied')) return []
  const wanted = parseJson(charge.subaccounts) as readonly Fields[]
  const ids = wanted.map(namedSubaccount).filter((id) => id !== undefined)
  if (ids.length === 0) return []
  const known = await listSubaccountsNamed(tx, world.tenant, ids)
  const splits = wanted.flatMap((fields) => {
    const terms = known.find(({ subaccountId }) => subaccountId === namedSubaccount(fields))
    return terms ? [readSplit(fields, terms)] : []
  })
  return computeShares(net, splits)
}
