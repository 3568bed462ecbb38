// Kills the service at every failpoint of every operation; see sweep.ts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { failpointNames } from '../tidy/failpoint-rules.ts'
import { readProject } from '../tidy/project.ts'
import { chargeOperations } from './charge-operations.ts'
import { documentOperations } from './document-operations.ts'
import { createLane, type Lane } from './lane.ts'
import { payoutOperations } from './payout-operations.ts'
import { recipientOperations } from './recipient-operations.ts'
import { refundOperations } from './refund-operations.ts'
import { settlementOperations } from './settlement-operations.ts'
import { subscriptionOperations } from './subscription-operations.ts'
import { killAt, type Operation, planKills, type Row, table, trace } from './sweep.ts'
import { webhookOperations } from './webhook-operations.ts'

const operations: readonly Operation[] = [
  ...chargeOperations,
  ...refundOperations,
  ...recipientOperations,
  ...payoutOperations,
  ...webhookOperations,
  ...subscriptionOperations,
  ...documentOperations,
  ...settlementOperations,
]

const isWhole = process.env.CRASH_SWEEP === 'whole'
const timeout = 1_800_000

const rows: Row[] = []
const lanes: Lane[] = []
const free: Lane[] = []
const waiting: ((lane: Lane) => void)[] = []
// Where each operation is killed; undefined means everywhere on its way.
let kills: readonly (readonly string[])[] | undefined

// Two, because most of the time goes into starting the service.
beforeAll(async () => {
  lanes.push(...(await Promise.all([createLane(), createLane()])))
  free.push(...lanes)
  if (isWhole) return
  const traced = await Promise.all(operations.map((one) => onLane((lane) => trace(lane, one))))
  rows.push(...traced.map(({ row }) => row))
  kills = planKills(
    traced.map(({ failpoints }) => failpoints),
    1,
  )
}, timeout)

afterAll(async () => {
  process.stdout.write(`\n${table(rows)}\n\n`)
  await Promise.all(lanes.map((lane) => lane.close()))
})

test.concurrent.each(operations.map((swept, index) => ({ name: swept.name, swept, index })))(
  '$name, killed at each failpoint, comes to the same end',
  { timeout },
  async ({ name, swept, index }) => {
    await onLane(async (lane) => {
      const planned = kills?.[index]
      const traced = planned ? undefined : await trace(lane, swept)
      if (traced) rows.push(traced.row)
      rows.push(...(await killAt(lane, swept, planned ?? traced?.failpoints ?? [])))
    })
    const found = rows.filter(({ operation }) => operation === name)
    const problems = found.filter(({ problem }) => problem !== undefined)
    expect(problems.map(({ failpoint, problem }) => `${failpoint}: ${problem}`)).toEqual([])
    // Where it is bounded, others may have all of its failpoints.
    if (isWhole) expect(found.length, 'no failpoint is on its way').toBeGreaterThan(1)
  },
)

test('no failpoint of the code was left out', () => {
  const names = failpointNames(readProject()).map(({ name }) => name)
  const reached = new Set(rows.map(({ failpoint }) => failpoint))
  expect(names.length).toBeGreaterThan(0)
  expect(names.filter((name) => !reached.has(name))).toEqual([])
})

async function onLane<Value>(work: (lane: Lane) => Promise<Value>): Promise<Value> {
  const lane = free.pop() ?? (await new Promise<Lane>((resolve) => waiting.push(resolve)))
  try {
    return await work(lane)
  } finally {
    const next = waiting.shift()
    if (next) next(lane)
    else free.push(lane)
  }
}
