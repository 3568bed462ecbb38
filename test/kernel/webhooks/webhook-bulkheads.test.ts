// Which endpoint is served next: a hanging endpoint does not delay the others, nor one business
// another.
import { beforeEach, describe, expect, it } from 'vitest'
import {
  type Bulkheads,
  createBulkheads,
  type Receiver,
} from '../../../src/kernel/webhooks/bulkheads.ts'
import { merchantWebhooks } from '../../../src/merchant/webhooks/webhook-profile.ts'
import { type ManualClock, manualClock } from '../../support/clock.ts'

const { timeoutMs } = merchantWebhooks
let clock: ManualClock
let bulkheads: Bulkheads

beforeEach(() => {
  clock = manualClock()
  bulkheads = createBulkheads(clock)
})

// An endpoint with its own business, unless one is given.
const at = (endpointId: string, businessId = endpointId): Receiver => ({ businessId, endpointId })
const healthy = at('healthy')
const endpointsOf = (businesses: number, each: number, name = 'hangs'): Receiver[] =>
  Array.from({ length: businesses * each }, (_, index) =>
    at(`${name} ${index}`, `business ${index % businesses}`),
  )
const hung = endpointsOf(400, 1)

const answered = (receiver: Receiver) => bulkheads.start(receiver)(false)
const timedOut = (receiver: Receiver) => bulkheads.start(receiver)(true)

const byBusiness = (receivers: readonly Receiver[]) => [
  ...Map.groupBy(receivers, ({ businessId }) => businessId).values(),
]

// Starts all attempts that may start now, as a worker does when everything has a long backlog.
function startAll(receivers: readonly Receiver[]) {
  const started: { receiver: Receiver; end: (hasTimedOut: boolean) => void }[] = []
  for (;;) {
    const allotted = bulkheads.allot(byBusiness(receivers))
    if (allotted.length === 0) return started
    for (const { limit, ...receiver } of allotted) {
      for (let count = 0; count < limit; count += 1) {
        started.push({ receiver, end: bulkheads.start(receiver) })
      }
    }
  }
}

const allottedTo = (receiver: Receiver) => bulkheads.allot([[receiver]])[0]?.limit ?? 0

describe('an endpoint', () => {
  it('that is new has one attempt until it has answered, and then eight', () => {
    expect(allottedTo(healthy)).toBe(1)
    const end = bulkheads.start(healthy)
    expect(allottedTo(healthy)).toBe(0)
    end(false)
    expect(allottedTo(healthy)).toBe(8)
  })

  it('has at most eight attempts under way', () => {
    answered(healthy)
    expect(startAll([healthy])).toHaveLength(8)
  })

  it('that was slow once, but answered, is not treated like those that hang', () => {
    const end = bulkheads.start(healthy)
    clock.advance(timeoutMs - 1)
    end(false)
    expect(bulkheads.running()).toEqual({ fast: 0, new: 0, slow: 0, stalled: 0 })
    bulkheads.start(healthy)
    expect(bulkheads.running()).toMatchObject({ fast: 1, slow: 0 })
  })

  it('that answers again is fast again', () => {
    for (const receiver of hung) timedOut(receiver)
    startAll(hung.slice(0, 399))
    const last = at('hangs 399', 'business 399')
    expect(allottedTo(last)).toBe(0)
    answered(last)
    expect(allottedTo(last)).toBe(8)
  })
})

describe('a healthy endpoint has slots', () => {
  beforeEach(() => answered(healthy))

  it('beside 400 that hang, known or not', () => {
    const first = startAll(hung)
    expect(first).toHaveLength(400)
    expect(allottedTo(healthy)).toBe(8)
    for (const { end } of first) end(true)
    expect(startAll(hung).length).toBeLessThanOrEqual(128)
    expect(allottedTo(healthy)).toBe(8)
  })

  it('after a start at which thousands hang', () => {
    startAll(endpointsOf(2000, 1))
    expect(allottedTo(healthy)).toBe(8)
  })

  it('a second after hundreds that had answered began to hang', () => {
    for (const receiver of hung) answered(receiver)
    const endAll = startAll(hung)
    expect(endAll).toHaveLength(512)
    expect(allottedTo(healthy)).toBe(0)
    clock.advance(999)
    expect(allottedTo(healthy)).toBe(0)
    clock.advance(1)
    expect(bulkheads.running()).toEqual({ fast: 0, new: 0, slow: 0, stalled: 512 })
    expect(allottedTo(healthy)).toBe(8)
  })

  it('but never more than there are for all together', () => {
    const all = endpointsOf(1000, 1)
    for (const receiver of all) answered(receiver)
    for (let seconds = 0; seconds < 5; seconds += 1) {
      startAll(all)
      clock.advance(1000)
    }
    expect(bulkheads.running().stalled).toBe(1280)
    expect(allottedTo(healthy)).toBe(0)
  })
})

describe('endpoints that hang', () => {
  it.each([
    ['separate businesses', hung],
    ['four businesses', endpointsOf(4, 100)],
    ['one business', endpointsOf(1, 400)],
  ])('have their turns within a minute, when 400 do, of %s', (_, receivers) => {
    for (const receiver of receivers) timedOut(receiver)
    let waiting: readonly Receiver[] = receivers
    let rounds = 0
    while (waiting.length > 0) {
      const started = startAll(waiting)
      expect(started.length).toBeGreaterThan(0)
      for (const { end } of started) end(true)
      const served = new Set(started.map(({ receiver }) => receiver.endpointId))
      waiting = waiting.filter(({ endpointId }) => !served.has(endpointId))
      rounds += 1
    }
    // Each round takes as long as an attempt may.
    expect((rounds - 1) * timeoutMs).toBeLessThan(60_000)
  })

  it('have several slots each while few hang, and one while many do', () => {
    for (const receiver of hung) timedOut(receiver)
    const limits = (count: number) =>
      bulkheads.allot(byBusiness(hung.slice(0, count))).map(({ limit }) => limit)
    expect(limits(1)).toEqual([8])
    expect(limits(20)).toEqual(Array(20).fill(6))
    expect(new Set(limits(400))).toEqual(new Set([1]))
  })
})

describe('a business', () => {
  const newcomer = at('hangs too', 'another business')

  it('finds a slot beside eight whose new endpoints all hang', () => {
    const started = startAll(endpointsOf(8, 100))
    const counts = [...Map.groupBy(started, ({ receiver }) => receiver.businessId).values()]
    const sizes = counts.map(({ length }) => length)
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(10)
    expect(allottedTo(newcomer)).toBe(1)
  })

  it('finds a slot for an endpoint that hangs beside eight hundred of eight others', () => {
    for (const receiver of [...endpointsOf(8, 100), newcomer]) timedOut(receiver)
    startAll(endpointsOf(8, 100))
    expect(allottedTo(newcomer)).toBeGreaterThan(0)
  })

  it('alone has most of the slots', () => {
    const endpoints = endpointsOf(1, 100, 'quick')
    for (const receiver of [...endpoints, healthy]) answered(receiver)
    expect(startAll(endpoints).length).toBeGreaterThan(300)
    expect(allottedTo(healthy)).toBe(8)
  })

  it('with a hundred endpoints has no more turns than one with a single endpoint', () => {
    const many = endpointsOf(1, 100, 'of many')
    for (const receiver of [...many, healthy]) answered(receiver)
    const order = bulkheads.allot([many, [healthy]]).map(({ businessId }) => businessId)
    expect(order.slice(0, 3)).toEqual(['business 0', 'healthy', 'business 0'])
  })

  it('does not lose its turn to an endpoint that hangs', () => {
    const [hanging, quick] = [at('hangs', 'mixed'), at('quick', 'mixed')]
    answered(quick)
    answered(healthy)
    bulkheads.start(hanging)
    const order = bulkheads.allot([[hanging, quick], [healthy]])
    expect(order.map(({ endpointId }) => endpointId)).toEqual(['quick', 'healthy'])
  })
})
