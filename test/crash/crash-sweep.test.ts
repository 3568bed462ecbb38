// Kills the service at every failpoint of every operation; see sweep.ts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { failpointNames } from '../tidy/failpoint-rules.ts'
import { readProject } from '../tidy/project.ts'
import { chargeOperations } from './charge-operations.ts'
import { createLane, type Lane } from './lane.ts'
import { payoutOperations } from './payout-operations.ts'
import { recipientOperations } from './recipient-operations.ts'
import { refundOperations } from './refund-operations.ts'
import { subscriptionOperations } from './subscription-operations.ts'
import { type Operation, type Row, sweep, table } from './sweep.ts'
import { webhookOperations } from './webhook-operations.ts'

const operations: readonly Operation[] = [
  ...chargeOperations,
  ...refundOperations,
  ...recipientOperations,
  ...payoutOperations,
  ...webhookOperations,
  ...subscriptionOperations,
]

const rows: Row[] = []
const lanes: Lane[] = []
const free: Lane[] = []
const waiting: ((lane: Lane) => void)[] = []

// Two, because most of the time goes into starting the service.
beforeAll(async () => {
  lanes.push(...(await Promise.all([createLane(), createLane()])))
  free.push(...lanes)
})

afterAll(async () => {
  process.stdout.write(`\n${table(rows)}\n\n`)
  await Promise.all(lanes.map((lane) => lane.close()))
})

test.concurrent.each(operations)(
  '$name, killed at each failpoint, comes to the same end',
  { timeout: 1_800_000 },
  async (swept) => {
    const lane = await takeLane()
    try {
      const found = await sweep(lane, swept)
      rows.push(...found)
      const problems = found.filter(({ problem }) => problem !== undefined)
      expect(problems.map(({ failpoint, problem }) => `${failpoint}: ${problem}`)).toEqual([])
      expect(found.length, 'no failpoint is on its way').toBeGreaterThan(1)
    } finally {
      giveLane(lane)
    }
  },
)

test('no failpoint of the code was left out', () => {
  const names = failpointNames(readProject()).map(({ name }) => name)
  const reached = new Set(rows.map(({ failpoint }) => failpoint))
  expect(names.length).toBeGreaterThan(0)
  expect(names.filter((name) => !reached.has(name))).toEqual([])
})

function takeLane(): Promise<Lane> {
  const lane = free.pop()
  return lane ? Promise.resolve(lane) : new Promise((resolve) => waiting.push(resolve))
}

function giveLane(lane: Lane): void {
  const next = waiting.shift()
  if (next) next(lane)
  else free.push(lane)
}
