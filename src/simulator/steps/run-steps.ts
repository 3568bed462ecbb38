// Runs due steps, one at a time, each in its own transaction.

import { assert, assertDefined } from '../../kernel/basics/assert.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { isDatabaseUnavailable } from '../../kernel/db/database-errors.ts'
import { chargeBack, contestChargeback, decideChargeback } from '../chargebacks/charge-back.ts'
import { findCharge, lockCharge } from '../charges/charge-store.ts'
import { lockCheckout } from '../charges/checkout-store.ts'
import { failCharge, succeedLate } from '../charges/finish-charge.ts'
import { reverseCharge } from '../charges/reverse-charge.ts'
import { settleCharge } from '../charges/settle-charge.ts'
import type { SimulatorContext } from '../context.ts'
import { moveRefund } from '../refunds/create-refund.ts'
import { moveTransfer } from '../transfers/create-transfer.ts'
import { isTransferStatus } from '../transfers/transfer.ts'
import type { World } from '../world.ts'
import { findWorld } from '../world-store.ts'
import { lockDueStep, type Step, updateStepDone, updateStepDue } from './step-store.ts'

// Returns whether a step was due. A step that fails is a bug of ours; it is set aside until the
// control API runs it, so that it does not block other worlds.
export async function runDueStep(context: SimulatorContext): Promise<boolean> {
  let current: Step | undefined
  try {
    return await context.database.transaction(async (tx) => {
      const now = context.clock.now()
      current = await lockDueStep(tx, now)
      if (!current) return false
      const world = assertDefined(await findWorld(tx, current), 'a step without its world')
      await runStep(tx, context, world, current)
      await updateStepDone(tx, current, current.id, now)
      return true
    })
  } catch (error) {
    if (!current || isDatabaseUnavailable(error)) throw error
    context.log.error({ err: error, step: current.step }, 'a step of the simulator failed')
    await updateStepDue(context.database.sql, current, current.id, null)
    return true
  }
}

export const chargeSteps = [
  'charge_back',
  'contest_chargeback',
  'fail',
  'lose_chargeback',
  'reverse',
  'settle',
  'succeed',
  'time_out',
  'win_chargeback',
] as const

async function runStep(tx: Tx, context: SimulatorContext, world: World, step: Step): Promise<void> {
  if (step.subject === 'refund') {
    return moveRefund(tx, context, world, step.subjectId, step.step)
  }
  if (step.subject === 'transfer') {
    assert(isTransferStatus(step.step), `no state of a transfer: ${step.step}`)
    return moveTransfer(tx, context, world, step.subjectId, step.step, step.note)
  }
  return runChargeStep(tx, context, world, step)
}

async function runChargeStep(
  tx: Tx,
  context: SimulatorContext,
  world: World,
  { subjectId, step, note }: Step,
): Promise<void> {
  const seen = assertDefined(
    await findCharge(tx, world.tenant, subjectId),
    'a step without its charge',
  )
  // The checkout is locked before the charge, as in the payer's steps.
  const checkout = seen.checkoutId
    ? await lockCheckout(tx, world.tenant, seen.checkoutId)
    : undefined
  const charge = assertDefined(await lockCharge(tx, world.tenant, subjectId), 'a charge that was')
  switch (step) {
    case 'succeed':
      return succeedLate(tx, context, world, charge, checkout)
    case 'settle':
      await settleCharge(tx, context, world, charge, context.clock.now())
      return
    case 'reverse':
      return reverseCharge(tx, context, world, charge)
    case 'charge_back':
      return chargeBack(tx, context, world, charge)
    case 'contest_chargeback':
      return contestChargeback(tx, context, world, charge)
    case 'win_chargeback':
      return decideChargeback(tx, context, world, charge, 'won')
    case 'lose_chargeback':
      return decideChargeback(tx, context, world, charge, 'lost')
    case 'fail':
      if (charge.status !== 'pending') return
      await failCharge(tx, context, world, charge, note ?? 'Declined by issuer', checkout)
      return
    default:
      assert(step === 'time_out', `no step of a charge: ${step}`)
      if (!charge.awaits) return
      await failCharge(tx, context, world, charge, 'Session expired', checkout)
  }
}
