// The whole application against a small model of it: commands in random order, with the provider
// misbehaving; after each of them both must agree and every invariant must hold. A failure prints
// its seed and what was done; `MODEL_SEED` runs it again, `MODEL_RUNS` runs more.
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { createPeople, type People } from '../../src/kernel/auth/people.ts'
import { manualClock } from '../support/clock.ts'
import { useWorld } from '../support/world.ts'
import type { Command } from './command.ts'
import { endTransfer } from './commands/payout-endings.ts'
import { passTime, work } from './commands/time.ts'
import { inFlight, isOpen, type Model, minuteMs, newModel } from './model.ts'
import { createReal, expectAgreement, expectEffects, type Real } from './real.ts'
import { subjects } from './subjects.ts'

const clock = manualClock()
const world = useWorld({ clock, providerTimeoutMs: 10_000 })

const seed = Number.parseInt(process.env.MODEL_SEED ?? '20261115', 10)
const numRuns = Number.parseInt(process.env.MODEL_RUNS ?? '9', 10)
const stepsOfRun = 35

let people: People
let approverId: string

beforeAll(async () => {
  people = await createPeople(world().context, world().context)
  const person = { email: 'approver@example.com', name: 'Ada Example', password: 'correct horse' }
  approverId = (await people.createPerson(person)).personId
})

const counts = new Map<string, number>()
const countOf = (name: string) => counts.get(name) ?? 0
const tally = (name: string) => void counts.set(name, countOf(name) + 1)

// Which command of those that can be done now, and the how manieth thing it is about.
const steps = fc.array(fc.record({ which: fc.nat({ max: 9_999 }), nth: fc.nat({ max: 999 }) }), {
  minLength: stepsOfRun,
  maxLength: stepsOfRun,
})
type Step = typeof steps extends fc.Arbitrary<readonly (infer One)[]> ? One : never

it('the application does what the model says', { timeout: 900_000 }, async () => {
  const commands = subjects.flatMap((subject) => subject.commands)
  const openings = subjects.flatMap((subject) => subject.openings ?? [])
  expect(openings.length).toBeLessThanOrEqual(numRuns)
  const property = fc.asyncProperty(steps, async (sequence) => {
    // So far that no schedule looks at the shops of earlier runs again.
    clock.advance(300 * 24 * 60 * minuteMs)
    const real = await createReal(world(), clock, people, approverId)
    const model = newModel(clock.now().getTime(), tally)
    const done: string[] = []
    const opening = openings.shift() ?? []
    try {
      for (const name of opening) {
        const named = commands.map((variants) => variants.filter((one) => one.name === name))
        await take(named, { which: 0, nth: 0 }, model, real, done)
      }
      for (const step of sequence) await take(commands, step, model, real, done)
      await expectEnd(model, real)
    } catch (error) {
      throw new Error(`after ${done.join('; ')}`, { cause: error })
    }
  })
  await fc.assert(property, { seed, numRuns, endOnFailure: true })
  const lines = [...counts]
    .toSorted()
    .map(([name, count]) => `${String(count).padStart(5)} ${name}`)
  process.stdout.write(`${lines.join('\n')}\n`)
  const reached = subjects.flatMap((subject) => subject.reached)
  expect(reached.filter((name) => countOf(name) === 0)).toEqual([])
})

async function take(
  commands: readonly (readonly Command[])[],
  { which, nth }: Step,
  model: Model,
  real: Real,
  done: string[],
): Promise<void> {
  const possible = commands
    .map((variants) =>
      variants.flatMap(({ name, prepare }) => {
        const run = prepare(model, nth)
        return run ? [{ name, run }] : []
      }),
    )
    .filter((variants) => variants.length > 0)
  // Of its variants the one that was done least, so that none waits for luck.
  const variants = possible[which % possible.length] ?? []
  const [chosen] = variants.toSorted((left, right) => countOf(left.name) - countOf(right.name))
  if (!chosen) throw new Error('nothing of this can be done')
  done.push(chosen.name)
  await chosen.run(real)
  tally(chosen.name)
  await expectAgreement(model, real)
}

// The faults stop and time goes by: everything has to end.
async function expectEnd(model: Model, real: Real): Promise<void> {
  for (const payment of model.payments.filter(({ charge }) => charge?.status === 'pending')) {
    await real.control('/proceed', { subject: 'charge', reference: payment.reference })
    Object.assign(payment.charge ?? {}, { status: 'successful', isSettled: true })
  }
  for (const payout of model.payouts.filter(({ transfer }) => transfer?.status === 'pending')) {
    await endTransfer(real, payout)
  }
  for (let round = 0; round < 2; round += 1) {
    await passTime(model, real, 40)
    await work(model, real)
  }
  await expectAgreement(model, real)
  expect(model.payments.filter((payment) => isOpen(payment) || inFlight(payment))).toEqual([])
  expect(model.payouts.filter(({ status }) => status === 'processing')).toEqual([])
  expect(model.recipients.filter(({ isRegistered }) => !isRegistered)).toEqual([])
  await expectEffects(model, real)
}
