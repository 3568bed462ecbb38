// @module-tag long
// Invoices that customers pay online, with everything that happens to such payments afterwards.
import { it } from 'vitest'
import { expectReceivable, invoices } from './commands/invoices.ts'
import { merchant } from './commands/merchant.ts'
import { payer } from './commands/payer.ts'
import { provider } from './commands/provider.ts'
import { passTime, time, work } from './commands/time.ts'
import type { Model } from './model.ts'
import { expectAgreement, expectEffects, type Real } from './real.ts'
import { useModel } from './use-model.ts'

// What these reach is counted in the model of payments.
const others = [payer, provider, merchant, time].map(({ commands }) => ({ commands, reached: [] }))

const { allRuns } = useModel({
  subjects: [invoices, ...others],
  seed: 20261116,
  runs: 6,
  stepsOfRun: 30,
  expectEnd,
})

it('invoices are paid once, whatever happens', { timeout: 900_000 }, allRuns)

async function expectEnd(model: Model, real: Real): Promise<void> {
  for (const payment of model.payments.filter(({ charge }) => charge?.status === 'pending')) {
    await real.control('/proceed', { subject: 'charge', reference: payment.reference })
    Object.assign(payment.charge ?? {}, { status: 'successful', isSettled: true })
  }
  for (const minutes of [40, 40, 25 * 60]) {
    await passTime(model, real, minutes)
    await work(model, real)
  }
  await expectAgreement(model, real)
  await expectReceivable(model, real)
  await expectEffects(model, real)
}
