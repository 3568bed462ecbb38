// The crash sweep. Each operation runs once undisturbed, which records the failpoints it reaches,
// and then once per failpoint, at which the service is killed with SIGKILL. It restarts, the caller
// tries again, time passes until the operation has ended, and then another day in which nothing may
// happen. Then the final state, what the provider really did, every invariant, the jobs and the log
// must be as after the undisturbed run.
//
// How to add an operation:
// 1. Put `context.failpoint('area.step')` into its code: after the reservation is committed, after
//    the provider has answered, inside the transaction that settles (`settling`), after its commit
//    (`settled`). A name is a literal in one place; test/tidy.test.ts checks that.
// 2. Describe it as an `Operation` in a file beside this one and add that to `operations` in
//    crash-sweep.test.ts. `setUp` creates its own business (`shop`) and everything it needs;
//    failpoints are not armed yet. `run` is the part that may be killed, over HTTP or with
//    `lane.cli`: if the service dies, its call throws, as expected. Background work (jobs,
//    schedules) needs no code: the sweep lets hours pass. `again` is what the caller does after the
//    restart, if anything. `end` throws until everything is as it must be: states, and with
//    `eventsOf` that each event exists once. `effects` says how often the provider must have done
//    what for a reference.
// 3. Misbehaviour of the provider is set in `setUp` with `world.simulator.rule`; the sweep removes
//    the rules before each run.
// `npm run crash-sweep` sweeps everything and prints the table; `npm run crash-sweep -- -t refund`
// sweeps some of it. In `npm run test:all` each failpoint is swept in one operation, and in `npm
// test` a single one (one-crash.test.ts).
import { inspect } from 'node:util'
import { expect } from 'vitest'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { checkInvariants } from '../support/invariants.ts'
import { until } from '../support/timed-process.ts'
import type { Lane } from './lane.ts'

export type Operation<Subject = unknown> = {
  readonly name: string
  setUp(lane: Lane): Promise<Subject>
  run(lane: Lane, subject: Subject): Promise<void>
  again?(lane: Lane, subject: Subject): Promise<void>
  // How long it may take until it has ended, where that is longer than usual.
  readonly hoursMax?: number
  end(lane: Lane, subject: Subject): Promise<void>
  effects(lane: Lane, subject: Subject): Promise<ExpectedEffects> | ExpectedEffects
}

export type ExpectedEffects = {
  readonly tenant: Tenant
  readonly reference: string
  // Kinds that are left out must not have happened.
  readonly counts: Readonly<Record<string, number>>
}

// Keeps the subject's type inside the operation and lets operations stand in one list.
export function operation<Subject>(described: Operation<Subject>): Operation {
  return described as Operation
}

export type Row = {
  readonly operation: string
  readonly failpoint: string
  readonly effects: string
  // Undefined when all went well.
  readonly problem: string | undefined
}

const hour = 3600
const operationsAsked = 3
// Longer than what a dead process held of jobs and schedules is kept for it.
const leasesSeconds = 120
// Longer than anything takes that does not say so.
const hoursMaxUsual = 8
const notReached = 'the failpoint was not reached'
const runsMax = 8

export type Traced = { readonly row: Row; readonly failpoints: readonly string[] }

// The run in peace, which tells what is on the way.
export async function trace(lane: Lane, swept: Operation): Promise<Traced> {
  const names = new Set<string>()
  const row = await attempt(swept, 'none', async () => {
    await lane.start()
    const subject = await setUp(lane, swept)
    lane.arm('trace')
    await swept.run(lane, subject)
    await reachEnd(lane, swept, subject)
    for (const name of lane.reached()) names.add(name)
    return check(lane, swept, subject)
  })
  return { row, failpoints: [...names] }
}

// Where two schedules may bring the same thing to its end, the one that comes second does not pass
// by its failpoints, and which one does is chance: a run that did not come by is done again.
export async function killAt(lane: Lane, swept: Operation, failpoint: string): Promise<Row> {
  const run = () => attempt(swept, failpoint, () => crashAndRecover(lane, swept, failpoint))
  let row = await run()
  for (let times = 1; isNotReached(row) && times < runsMax; times += 1) row = await run()
  return row
}

export const isNotReached = ({ problem }: Row): boolean => problem === notReached

// Where each operation is killed when a failpoint is swept in at most so many of them: in those
// that have the fewest so far, so that every operation gets its share; always the same. Only the
// first few that come by are asked: where runs share a lane, a later one may have met what an
// earlier one left behind, such as a payout that is looked at for a week.
export function planKills(
  ways: readonly (readonly string[])[],
  operationsPerFailpoint: number,
): string[][] {
  const kills: string[][] = ways.map(() => [])
  for (const name of [...new Set(ways.flat())].toSorted()) {
    const reaching = kills
      .filter((_, index) => ways[index]?.includes(name))
      .slice(0, operationsAsked * operationsPerFailpoint)
    const chosen = reaching.toSorted((left, right) => left.length - right.length)
    for (const one of chosen.slice(0, operationsPerFailpoint)) one.push(name)
  }
  return kills
}

async function attempt(
  { name: operation }: Operation,
  failpoint: string,
  work: () => Promise<string>,
): Promise<Row> {
  try {
    return { operation, failpoint, effects: await work(), problem: undefined }
  } catch (error) {
    return { operation, failpoint, effects: '', problem: describe(error) }
  }
}

// The message of a comparison leaves out what was found.
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!('actual' in error)) return error.message
  return `${error.message}\nfound ${inspect(error.actual, { breakLength: Number.POSITIVE_INFINITY })}`
}

async function crashAndRecover(lane: Lane, swept: Operation, name: string): Promise<string> {
  await lane.start()
  const subject = await setUp(lane, swept)
  lane.arm(name)
  try {
    await runUntilDeath(lane, swept, subject)
    expect(lane.reached(), 'where it died').toEqual([name])
  } finally {
    lane.arm('')
  }
  await lane.start()
  await swept.again?.(lane, subject)
  await lane.pass(leasesSeconds)
  await reachEnd(lane, swept, subject)
  return check(lane, swept, subject)
}

async function setUp(lane: Lane, swept: Operation): Promise<unknown> {
  lane.arm('')
  const { simulator } = lane.world
  await simulator.control({ businessId: '', environment: 'live' }, 'DELETE', '/rules')
  const subject = await swept.setUp(lane)
  await lane.settle()
  return subject
}

async function runUntilDeath(lane: Lane, swept: Operation, subject: unknown): Promise<void> {
  try {
    await swept.run(lane, subject)
  } catch (error) {
    // The call that was cut off fails a moment before the death is known.
    await until(lane.hasDied, `no death, but ${error}`)
    return
  }
  // A command may have died while the service lives on, which must not come by here as well.
  if (lane.hasDied()) return
  await lane.settle()
  const { hoursMax = hoursMaxUsual } = swept
  for (let hours = 0; hours < hoursMax && !lane.hasDied(); hours += 1) await lane.pass(hour)
  if (!lane.hasDied()) throw new Error(notReached)
}

async function reachEnd(lane: Lane, swept: Operation, subject: unknown): Promise<void> {
  const { hoursMax = hoursMaxUsual } = swept
  await lane.settle()
  for (let hours = 0; hours < hoursMax; hours += 1) {
    const isOver = await swept.end(lane, subject).then(
      () => true,
      () => false,
    )
    if (isOver) return
    await lane.pass(hour)
  }
  await swept.end(lane, subject)
}

async function check(lane: Lane, swept: Operation, subject: unknown): Promise<string> {
  lane.arm('')
  await lane.pass(24 * hour)
  await swept.end(lane, subject)
  const { tenant, reference, counts } = await swept.effects(lane, subject)
  const found = await lane.world.simulator.effects(tenant, reference)
  const happened = Object.fromEntries(Object.entries(found).filter(([, count]) => count > 0))
  const { sql } = lane.world.database
  const deadJobs = await sql`
    select kind, last_error
    from kernel.jobs
    where dead_at is not null`
  const checked = await checkInvariants(lane.world.database, lane.world.context.clock.now())
  const broken = checked
    .filter(({ violations }) => violations.length > 0)
    .map(({ id, violations }) => `${id}: ${JSON.stringify(violations)}`)
  expect(happened, 'what the provider did').toEqual(counts)
  expect(broken, 'broken invariants').toEqual([])
  expect([...deadJobs], 'dead jobs').toEqual([])
  const errors = lane.errors()
  if (errors.length > 0) throw new Error(`logged errors: ${errors.join('\n')}`)
  const done = Object.entries(happened).map(([kind, count]) => `${kind} ${count}`)
  return done.join(', ') || 'nothing'
}

export function summary(rows: readonly Row[]): string {
  const killed = rows.filter(({ failpoint }) => failpoint !== 'none')
  const failed = rows.filter(({ problem }) => problem !== undefined)
  const operations = new Set(rows.map(({ operation }) => operation))
  const failpoints = new Set(killed.map(({ failpoint }) => failpoint))
  return (
    `${operations.size} operations, ${failpoints.size} failpoints, ${killed.length} kills: ` +
    `${rows.length - failed.length} of ${rows.length} runs came to the right end`
  )
}

export function table(rows: readonly Row[]): string {
  const cells = rows.map(({ operation, failpoint, effects, problem }) => [
    operation,
    failpoint,
    failpoint === 'none' ? 'in peace' : 'killed',
    problem === undefined ? 'recovered' : 'FAILED',
    problem === undefined ? effects : (problem.split('\n')[0] ?? ''),
  ])
  const all = [['operation', 'failpoint', 'run', 'end', 'what the provider did'], ...cells]
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...all.map((row) => row[column]?.length ?? 0)),
  )
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
