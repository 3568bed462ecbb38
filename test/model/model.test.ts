// Taking money, giving it back and paying it out, within days.
import { expect, it } from 'vitest'
import { endTransfer } from './commands/payout-endings.ts'
import { passTime, work } from './commands/time.ts'
import { inFlight, isOpen, type Model } from './model.ts'
import { expectAgreement, expectEffects, type Real } from './real.ts'
import { subjects } from './subjects.ts'
import { useModel } from './use-model.ts'

const { allRuns, oneRun } = useModel({
  subjects,
  seed: 20261115,
  runs: 10,
  stepsOfRun: 35,
  expectEnd,
})

// covers: The service lets a merchant accept payments
it('the application does what the model says', { tags: ['long'], timeout: 900_000 }, allRuns)

it('the application does what the model says in a single run', oneRun)

async function expectEnd(model: Model, real: Real): Promise<void> {
  for (const payment of model.payments.filter(({ charge }) => charge?.status === 'pending')) {
    await real.control('/proceed', { subject: 'charge', reference: payment.reference })
    Object.assign(payment.charge ?? {}, { status: 'successful', isSettled: true })
  }
  for (const payout of model.payouts.filter(({ transfer }) => transfer?.status === 'pending')) {
    await endTransfer(real, payout)
  }
  for (const minutes of [40, 40, 25 * 60]) {
    await passTime(model, real, minutes)
    await work(model, real)
  }
  await expectAgreement(model, real)
  expect(model.payments.filter((payment) => isOpen(payment) || inFlight(payment))).toEqual([])
  expect(model.payouts.filter(({ status }) => status === 'processing')).toEqual([])
  expect(model.recipients.filter(({ isRegistered }) => !isRegistered)).toEqual([])
  await expectEffects(model, real)
}
