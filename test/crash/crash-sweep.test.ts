// @module-tag long
// Kills the service at every failpoint of every operation; see sweep.ts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { failpointNames } from '../tidy/failpoint-rules.ts'
import { readProject } from '../tidy/project.ts'
import { bridgeOperations } from './bridge-operations.ts'
import { chargeOperations } from './charge-operations.ts'
import { documentOperations } from './document-operations.ts'
import { createGround, createLane, type Ground, type Lane } from './lane.ts'
import { payoutOperations } from './payout-operations.ts'
import { recipientOperations } from './recipient-operations.ts'
import { recurringOperations } from './recurring-operations.ts'
import { refundOperations } from './refund-operations.ts'
import { reminderOperations } from './reminder-operations.ts'
import { settlementOperations } from './settlement-operations.ts'
import { subscriptionOperations } from './subscription-operations.ts'
import {
  isNotReached,
  killAt,
  type Operation,
  planKills,
  type Row,
  summary,
  table,
  trace,
} from './sweep.ts'
import { webhookOperations } from './webhook-operations.ts'

const operations: readonly Operation[] = [
  ...chargeOperations,
  ...refundOperations,
  ...recipientOperations,
  ...payoutOperations,
  ...webhookOperations,
  ...subscriptionOperations,
  ...documentOperations,
  ...reminderOperations,
  ...recurringOperations,
  ...settlementOperations,
  ...bridgeOperations,
]

const isWhole = process.env.CRASH_SWEEP === 'whole'
// It only ends what hangs.
const timeout = 7_200_000
const startedMs = performance.now()

const rows: Row[] = []
let ground: Ground
// Where lanes run. They wait a lot, so more of them run than a small machine has cores.
const places: { lane?: Lane | undefined }[] = isWhole ? [{}, {}, {}, {}] : [{}, {}]
const free = [...places]
const waiting: ((place: (typeof places)[number]) => void)[] = []
// Where each operation is killed; undefined means everywhere on its way.
let kills: readonly (readonly string[])[] | undefined
// The failpoints on the way of each, as far as they are known before.
let ways: readonly (readonly string[])[] = []

beforeAll(async () => {
  ground = createGround()
  if (isWhole) return
  const traced = await Promise.all(operations.map((one) => onLane((lane) => trace(lane, one))))
  rows.push(...traced.map(({ row }) => row))
  ways = traced.map(({ failpoints }) => failpoints)
  kills = planKills(ways, 1)
}, timeout)

afterAll(async () => {
  const order = new Map(operations.map(({ name }, index) => [name, index]))
  const placeOf = ({ operation }: Row) => order.get(operation) ?? 0
  const sorted = rows.toSorted((left, right) => placeOf(left) - placeOf(right))
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1)
  process.stdout.write(`\n${table(sorted)}\n\n${summary(rows)} in ${minutes} minutes\n\n`)
  await Promise.all(places.map(({ lane }) => lane?.close()))
  ground.close()
}, timeout)

test.concurrent.each(operations.map((swept, index) => ({ name: swept.name, swept, index })))(
  '$name, killed at each failpoint, comes to the same end',
  { timeout },
  async ({ name, swept, index }) => {
    const failpoints = kills?.[index] ?? (await traceFirst(swept))
    const killed = await Promise.all(
      failpoints.map(async (failpoint) => {
        const others = operations.filter((_, other) => ways[other]?.includes(failpoint))
        const row = await killInOneOf([swept, ...others], failpoint)
        keep(row)
        return row
      }),
    )
    const found = new Set([...rows.filter(({ operation }) => operation === name), ...killed])
    const problems = [...found].filter(({ problem }) => problem !== undefined)
    expect(problems.map(({ failpoint, problem }) => `${failpoint}: ${problem}`)).toEqual([])
    // Where it is bounded, others may have all of its failpoints.
    if (isWhole) expect(found.size, 'no failpoint is on its way').toBeGreaterThan(1)
  },
)

test('no failpoint of the code was left out', () => {
  const names = failpointNames(readProject()).map(({ name }) => name)
  const reached = new Set(rows.map(({ failpoint }) => failpoint))
  expect(names.length).toBeGreaterThan(0)
  expect(names.filter((name) => !reached.has(name))).toEqual([])
})

async function traceFirst(swept: Operation): Promise<readonly string[]> {
  const { row, failpoints } = await onLane((lane) => trace(lane, swept))
  keep(row)
  return failpoints
}

// An operation may have reached a failpoint by chance; another one may reach it every time.
async function killInOneOf(
  [swept, ...others]: readonly [Operation, ...Operation[]],
  failpoint: string,
): Promise<Row> {
  const row = await onLane((lane) => killAt(lane, swept, failpoint))
  const [next, ...rest] = others.filter((other) => other !== swept)
  return next && isNotReached(row) ? killInOneOf([next, ...rest], failpoint) : row
}

// The whole sweep takes long, so it tells how far it is.
function keep(row: Row): void {
  rows.push(row)
  const { operation, failpoint, problem } = row
  const end = problem === undefined ? 'recovered' : `FAILED: ${problem}`
  if (isWhole) process.stdout.write(`${rows.length}. ${operation}, ${failpoint}: ${end}\n`)
}

// In the whole sweep every run has its own lane, so that it meets nothing that an earlier one
// has left behind, such as a payout that is looked at for a week: a run that is killed then comes
// by where the run in peace came by. In the bounded one they share two, which is quicker.
async function onLane<Value>(work: (lane: Lane) => Promise<Value>): Promise<Value> {
  const place = free.pop() ?? (await new Promise<(typeof places)[number]>(waitFor))
  try {
    place.lane ??= await createLane(ground)
    return await work(place.lane)
  } finally {
    if (isWhole) {
      await place.lane?.close()
      place.lane = undefined
    }
    const next = waiting.shift()
    if (next) next(place)
    else free.push(place)
  }
}

function waitFor(resolve: (place: (typeof places)[number]) => void): void {
  waiting.push(resolve)
}
