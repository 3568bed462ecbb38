// @module-tag long
// Subscriptions over weeks, separate because they depend on days.
import { expect, it } from 'vitest'
import { cancel } from '../support/subscriptions.ts'
import { merchant } from './commands/merchant.ts'
import { payer } from './commands/payer.ts'
import { decideCharge } from './commands/provider.ts'
import {
  liftPause,
  nextDueMs,
  subscriptions,
  workOnSubscriptions,
} from './commands/subscriptions.ts'
import { advance, passTime } from './commands/time.ts'
import { inFlight, isOpen, type Model, minuteMs } from './model.ts'
import { expectAgreement, expectEffects, type Real } from './real.ts'
import { end } from './subscriptions.ts'
import { useModel } from './use-model.ts'

const { allRuns } = useModel({
  subjects: [
    subscriptions,
    { commands: payer.commands, reached: [] },
    // Once each: this is about what comes of them for a subscription.
    { commands: [...new Set(merchant.commands), decideCharge, advance], reached: [] },
  ],
  seed: 20261115,
  runs: 5,
  stepsOfRun: 30,
  expectEnd,
})

it('subscriptions do what the model says', { timeout: 900_000 }, allRuns)

async function expectEnd(model: Model, real: Real): Promise<void> {
  await liftPause(model, real)
  for (const payment of model.payments.filter(({ charge }) => charge?.status === 'pending')) {
    await real.control('/proceed', { subject: 'charge', reference: payment.reference })
    Object.assign(payment.charge ?? {}, { status: 'successful', isSettled: true })
  }
  await passTime(model, real, 40)
  await workOnSubscriptions(model, real)
  // Every subscription that goes on is paid.
  for (let round = 0; round < 4; round += 1) {
    const dueMs = nextDueMs(model)
    if (dueMs !== undefined) await passTime(model, real, (dueMs - model.nowMs) / minuteMs)
    await workOnSubscriptions(model, real)
    await expectAgreement(model, real)
  }
  expect(model.payments.filter((payment) => isOpen(payment) || inFlight(payment))).toEqual([])
  expect(model.subscriptions.filter(({ status }) => status === 'past_due')).toEqual([])
  await expectEffects(model, real)
  // Those of the next run are looked at alone.
  for (const one of model.subscriptions) {
    await cancel(real.world, { ...real, id: one.id, page: one.page.path })
    if (one.status !== 'cancelled') end(model, one, 'the end')
  }
}
