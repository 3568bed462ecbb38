// Runs the whole application against a small model of it: random commands with a misbehaving
// provider; after each of them both must agree and every invariant must hold. A failure prints its
// seed and commands; `MODEL_SEED` runs it again, `MODEL_RUNS` runs more.
import fc from 'fast-check'
import { beforeAll, expect } from 'vitest'
import { createPeople, type People } from '../../src/kernel/auth/people.ts'
import { manualClock } from '../support/clock.ts'
import { isCluster } from '../support/cluster.ts'
import { useWorld } from '../support/world.ts'
import type { Command, Subject } from './command.ts'
import { type Model, minuteMs, newModel } from './model.ts'
import { createReal, expectAgreement, expectSame, type Real } from './real.ts'

export type ModelRuns = {
  readonly subjects: readonly Subject[]
  readonly seed: number
  readonly runs: number
  readonly stepsOfRun: number
  // The faults stop and time goes by: everything has to end.
  expectEnd(model: Model, real: Real): Promise<void>
}

// Returns two tests: all runs, which together must have reached every case, and a single run. One
// model per file.
export function useModel({ subjects, stepsOfRun, expectEnd, ...usual }: ModelRuns) {
  const clock = manualClock()
  const world = useWorld({ clock, providerTimeoutMs: 60_000 })
  const seed = Number.parseInt(process.env.MODEL_SEED ?? String(usual.seed), 10)
  const runs = Number.parseInt(process.env.MODEL_RUNS ?? String(usual.runs), 10)
  const commands = subjects.flatMap((subject) => subject.commands)
  let people: People
  let approverId: string

  beforeAll(async () => {
    people = await createPeople(world().context, world().context)
    const person = { email: 'approver@example.com', name: 'Ada Example', password: 'correct horse' }
    approverId = (await people.createPerson(person)).personId
  })

  async function run(
    numRuns: number,
    openings: (readonly string[])[],
    reached: readonly string[],
  ): Promise<void> {
    const counts: Counts = new Map()
    expect(openings.length).toBeLessThanOrEqual(numRuns)
    const property = fc.asyncProperty(stepsOf(stepsOfRun), async (sequence) => {
      // So far that no schedule looks at the shops of earlier runs again.
      clock.advance(300 * 24 * 60 * minuteMs)
      const real = await createReal(world(), clock, people, approverId)
      const model = newModel(clock.now().getTime(), (name) => tally(counts, name))
      const done: string[] = []
      try {
        for (const wanted of openings.shift() ?? []) {
          const named = commands.map((variants) => variants.filter((one) => one.name === wanted))
          await take(named, { which: 0, nth: 0 }, counts, model, real, done)
        }
        for (const step of sequence) await take(commands, step, counts, model, real, done)
        await expectEnd(model, real)
      } catch (error) {
        throw new Error(`after ${done.join('; ')}`, { cause: error })
      }
    })
    await fc.assert(property, { seed, numRuns, endOnFailure: true })
    if (reached.length > 0) process.stdout.write(`${listCounts(counts)}\n`)
    expect(reached.filter((one) => countOf(counts, one) === 0)).toEqual([])
  }

  const openings = subjects.flatMap((subject) => subject.openings ?? [])
  const reached = subjects.flatMap((subject) => subject.reached)
  return { allRuns: () => run(runs, [...openings], reached), oneRun: () => run(1, [], []) }
}

// On a cluster every invariant asks all servers, which takes longer than all the rest of a step.
const invariantsEvery = isCluster() ? 10 : 1

type Counts = Map<string, number>

const countOf = (counts: Counts, name: string) => counts.get(name) ?? 0
const tally = (counts: Counts, name: string) => void counts.set(name, countOf(counts, name) + 1)

function listCounts(counts: Counts): string {
  const lines = [...counts]
    .toSorted()
    .map(([name, count]) => `${String(count).padStart(5)} ${name}`)
  return lines.join('\n')
}

type Step = { readonly which: number; readonly nth: number }

// Which command of those that can be done now, and the how manieth thing it is about.
function stepsOf(length: number): fc.Arbitrary<Step[]> {
  const step = fc.record({ which: fc.nat({ max: 9_999 }), nth: fc.nat({ max: 999 }) })
  return fc.array(step, { minLength: length, maxLength: length })
}

async function take(
  commands: readonly (readonly Command[])[],
  { which, nth }: Step,
  counts: Counts,
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
  const [chosen] = variants.toSorted(
    (left, right) => countOf(counts, left.name) - countOf(counts, right.name),
  )
  if (!chosen) throw new Error('nothing of this can be done')
  done.push(chosen.name)
  await chosen.run(real)
  tally(counts, chosen.name)
  await (done.length % invariantsEvery === 0 ? expectAgreement : expectSame)(model, real)
}
