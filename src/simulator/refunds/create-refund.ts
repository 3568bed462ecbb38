// POST /transactions/{id}/refund. The provider has no idempotency here: the same request sent twice
// refunds twice, as long as the charge and the available balance suffice.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { add, negate, parseDecimal, subtract } from '../../kernel/money/decimal.ts'
import { lockOpenChargeback } from '../chargebacks/chargeback-store.ts'
import type { Charge } from '../charges/charge.ts'
import { lockCharge, updateCharge } from '../charges/charge-store.ts'
import { unknownCharge } from '../charges/look-up-charges.ts'
import { noteEvent } from '../charges/report-charge.ts'
import type { SimulatorContext } from '../context.ts'
import { isLess } from '../decimals.ts'
import { insertEffect } from '../effects/effect-store.ts'
import type { Endpoint } from '../endpoint.ts'
import { providerReference, success } from '../envelope.ts'
import { idOf, optionalAmount, optionalText, refuse } from '../fields.ts'
import { consumeRules } from '../rules/consume-rules.ts'
import type { Effect } from '../rules/rule.ts'
import { findEffect } from '../rules/rule.ts'
import { type PlannedStep, planSteps } from '../steps/plan-steps.ts'
import { insertOrUpdateWallet, updateWalletIfCovered } from '../wallets/wallet-store.ts'
import { queueWebhook } from '../webhooks/queue-webhook.ts'
import type { World } from '../world.ts'
import {
  acceptedStatus,
  failedStatus,
  isFinal,
  paidStatus,
  presentRefund,
  type Refund,
  refundWebhook,
} from './refund.ts'
import { insertRefund, lockRefund, updateRefundStatus } from './refund-store.ts'

const minimums: Readonly<Record<string, string>> = { NGN: '100', KES: '10' }

export const createRefund: Endpoint = {
  method: 'POST',
  path: '/transactions/:id/refund',
  async handle(context, world, { params, body }) {
    const wanted = optionalAmount(body)
    const comments = optionalText(body, 'comments') ?? null
    const refund = await context.database.transaction(async (tx) => {
      const charge = await lockCharge(tx, world.tenant, idOf(params.id) ?? 0n)
      if (!charge) throw unknownCharge()
      const amount = wanted ?? subtract(charge.amount, charge.refunded)
      checkRefund(charge, amount)
      const subject = { amount, reference: charge.txRef }
      const effects = await consumeRules(tx, world, 'refund', ['refund'], subject)
      await checkChargeback(tx, world, charge, effects)
      if (!(await updateWalletIfCovered(tx, world.tenant, charge.currency, amount))) {
        throw refuse('Insufficient available balance to process this refund')
      }
      await updateCharge(tx, world.tenant, { ...charge, refunded: add(charge.refunded, amount) })
      const created = {
        chargeId: charge.id,
        flwRef: providerReference(context.ids, 'URF_'),
        amount,
        status: acceptedStatus,
        comments,
        createdAt: context.clock.now(),
      }
      const id = await insertRefund(tx, world.tenant, created)
      await recordEffect(tx, context, world, charge, { ...created, id }, 'refund')
      await noteEvent(tx, context, world, charge, `Refund ${id} accepted`, 'refund')
      const now = context.clock.now()
      const plan = planOf(effects)
      await planSteps(tx, world.tenant, { kind: 'refund', id }, now, now, plan)
      return { ...created, id }
    })
    return success('Transaction refund initiated', presentRefund(refund, world.accountId))
  },
}

// Changes the status of an accepted refund. A failed one returns the money.
export async function moveRefund(
  tx: Tx,
  context: SimulatorContext,
  world: World,
  id: bigint,
  status: string,
): Promise<void> {
  const refund = assertDefined(await lockRefund(tx, world.tenant, id), 'a step without its refund')
  if (refund.status === status || refund.status === failedStatus) return
  const moved: Refund = { ...refund, status }
  await updateRefundStatus(tx, world.tenant, id, status)
  const charge = assertDefined(
    await lockCharge(tx, world.tenant, refund.chargeId),
    'a refund without its charge',
  )
  if (status === failedStatus) {
    const { amount } = refund
    const { currency } = charge
    await updateCharge(tx, world.tenant, { ...charge, refunded: subtract(charge.refunded, amount) })
    await insertOrUpdateWallet(tx, world.tenant, { currency, available: amount, ledger: amount })
    await recordEffect(tx, context, world, charge, refund, 'refund_return')
  }
  await noteEvent(tx, context, world, charge, `Refund ${id} is ${status}`, 'refund')
  if (!isFinal(status)) return
  const opposite = status === failedStatus ? paidStatus : failedStatus
  await queueWebhook(tx, context, world, {
    event: 'refund.completed',
    reference: charge.txRef,
    amount: refund.amount,
    body: refundWebhook(moved),
    contradiction: refundWebhook({ ...refund, status: opposite }),
  })
}

function checkRefund(charge: Charge, amount: Refund['amount']): void {
  if (charge.status !== 'successful') throw refuse('Only successful transactions can be refunded')
  const minimum = minimums[charge.currency]
  if (minimum !== undefined && isLess(amount, assertDefined(parseDecimal(minimum), 'a minimum'))) {
    throw refuse(`Amount should be above ${charge.currency}${minimum}`)
  }
  if (isLess(charge.amount, add(charge.refunded, amount)) || amount.digits === 0n) {
    throw refuse('Refund amount exceeds the amount that is left of the transaction')
  }
}

// It is not documented whether the provider refunds a charged-back payment. The simulator does,
// unless a rule forbids it.
async function checkChargeback(
  tx: Tx,
  { tenant }: World,
  { id }: Charge,
  effects: readonly Effect[],
): Promise<void> {
  if (!findEffect(effects, 'refuse_charged_back')) return
  if (await lockOpenChargeback(tx, tenant, id)) throw refuse('Transaction was charged back')
}

function planOf(effects: readonly Effect[]): PlannedStep[] {
  if (findEffect(effects, 'stay_accepted')) return [{ step: paidStatus, afterMs: undefined }]
  const failure = findEffect(effects, 'fail_later')
  if (failure) return [{ step: failedStatus, afterMs: failure.parameters.afterMs }]
  const passage = findEffect(effects, 'pass_through')
  if (passage) {
    const { states = [paidStatus], afterMs } = passage.parameters
    return states.map((step) => ({ step, afterMs }))
  }
  return [{ step: paidStatus, afterMs: 0 }]
}

async function recordEffect(
  tx: Tx,
  { clock }: SimulatorContext,
  { tenant }: World,
  { txRef, currency }: Charge,
  refund: Refund,
  kind: 'refund' | 'refund_return',
): Promise<void> {
  const amount = kind === 'refund' ? refund.amount : negate(refund.amount)
  await insertEffect(tx, tenant, {
    kind,
    reference: txRef,
    subjectId: refund.id,
    amount,
    currency,
    createdAt: clock.now(),
  })
}
