// A crash and its recovery, for everyday runs. crash-sweep.test.ts has the rest.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGround, createLane, type Ground, type Lane } from './lane.ts'
import { refundOperations } from './refund-operations.ts'
import { killAt, type Row } from './sweep.ts'

let ground: Ground
let lane: Lane

beforeAll(async () => {
  ground = createGround()
  lane = await createLane(ground)
})
afterAll(async () => {
  await lane.close()
  ground.close()
})

test('a refund whose service is killed after the provider was asked is made once', async () => {
  const refund = refundOperations.find(({ name }) => name === 'a merchant refunds a payment')
  if (!refund) throw new Error('there is no such operation')
  const row: Row = await killAt(lane, refund, 'refund.sent')
  expect(row.problem).toBeUndefined()
  expect(row.effects).not.toBe('')
})
