// Who may be sent to now, and whose turn it is: no endpoint that hangs keeps another waiting, and
// no business another.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLanes, type Lanes, type Receiver } from '../../../src/kernel/webhooks/lanes.ts'
import { createTurns } from '../../../src/kernel/webhooks/turns.ts'
import { merchantWebhooks } from '../../../src/merchant/webhooks/webhook-profile.ts'

const slowMs = 300
const anyMax = 4

// Time passes as the tests say, so nobody is slow because the machine is.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

// An endpoint; of a business of its own, unless said otherwise.
const at = (endpointId: string, businessId = endpointId): Receiver => ({ businessId, endpointId })
const healthy = at('healthy')
const hung = Array.from({ length: 400 }, (_, index) => at(`hangs ${index}`))

// As many as hang of a business with as many endpoints as it may have, in so many businesses.
function hungOf(businesses: number, each: number): Receiver[] {
  return Array.from({ length: businesses * each }, (_, index) =>
    at(`hangs ${index}`, `business ${index % businesses}`),
  )
}

// Lanes that know of these that they hang.
function lanesWithHung(receivers: readonly Receiver[]) {
  const lanes = lanesWithHealthy(slowMs)
  const places = receivers.map((receiver) => lanes.enter(receiver))
  vi.advanceTimersByTime(2 * slowMs)
  for (const place of places) place.end()
  return lanes
}

// Lanes in which an endpoint has answered before.
function lanesWithHealthy(slowMsOfThese?: number) {
  const lanes = createLanes(slowMsOfThese)
  lanes.enter(healthy).end()
  return lanes
}

// As a worker does, with attempts that never end, until nobody gets anything any more. Answers how
// many each business has.
function startAll(lanes: Lanes, receivers: readonly Receiver[]): number[] {
  const started = new Map<string, number>()
  for (let idleMs = 0; idleMs < 600; idleMs += 20) {
    const take = lanes.offer()
    for (const receiver of receivers) {
      const count = take(receiver, anyMax)
      for (let begun = 0; begun < count; begun += 1) lanes.enter(receiver)
      if (count === 0) continue
      idleMs = 0
      started.set(receiver.businessId, (started.get(receiver.businessId) ?? 0) + count)
    }
    vi.advanceTimersByTime(20)
  }
  return [...started.values()]
}

describe('the lanes', () => {
  it('let an endpoint that is not known have one place, until it has answered', () => {
    const lanes = createLanes()
    expect(lanes.offer()(at('new'), anyMax)).toBe(1)
    const first = lanes.enter(at('new'))
    expect(lanes.offer()(at('new'), anyMax)).toBe(0)
    first.end()
    expect(lanes.offer()(at('new'), anyMax)).toBe(4)
  })

  it('stay open after a start, when hundreds hang that have many deliveries each', () => {
    const lanes = lanesWithHealthy()
    expect(startAll(lanes, hung)).toHaveLength(400)
    expect(lanes.offer()(healthy, anyMax)).toBe(4)
  })

  it('stay open after a start, however many businesses have an endpoint that hangs', () => {
    const lanes = lanesWithHealthy()
    startAll(lanes, hungOf(2000, 1))
    expect(lanes.offer()(healthy, anyMax)).toBe(4)
  })

  it('make room for others while attempts hang that nobody expected to', () => {
    const lanes = lanesWithHealthy()
    for (let full = false; !full; ) {
      full = lanes.offer()(healthy, 1) === 0
      if (!full) lanes.enter(at(`hangs ${lanes.running().fast}`))
    }
    untilTrue(() => lanes.running().fast === 0)
    expect(lanes.running().slow).toBe(0)
    expect(lanes.offer()(healthy, anyMax)).toBe(4)
  })

  it('let endpoints that hang have a fraction of the places, and others at once', () => {
    const lanes = lanesWithHung(hung)
    expect(lanes.running()).toEqual({ fast: 0, slow: 0, beside: 0 })
    const take = lanes.offer()
    const places = hung.map((receiver) => take(receiver, anyMax))
    expect(places.reduce((sum, one) => sum + one, 0)).toBeLessThan(130)
    expect(take(healthy, anyMax)).toBe(4)
  })

  it.each([
    ['businesses of their own', hung],
    ['four businesses', hungOf(4, 100)],
    ['one business', hungOf(1, 400)],
  ])('let 400 that hang, of %s, have their turns within a minute', (_, receivers) => {
    const lanes = lanesWithHung(receivers)
    let waiting = receivers
    // Each turn takes as long as an attempt may.
    let turns = 0
    while (waiting.length > 0) {
      const take = lanes.offer()
      const begun = waiting.filter((receiver) => take(receiver, anyMax) > 0)
      expect(begun.length).toBeGreaterThan(0)
      const places = begun.map((receiver) => lanes.enter(receiver))
      expect(lanes.offer()(healthy, anyMax)).toBe(4)
      for (const place of places) place.end()
      waiting = waiting.filter((receiver) => !begun.includes(receiver))
      turns += 1
    }
    expect((turns - 1) * merchantWebhooks.timeoutMs).toBeLessThan(60_000)
  })

  it('let one that hangs have several places while hardly any other does, and one when many do', () => {
    const lanes = lanesWithHung(hung)
    const [first = healthy, ...others] = hung
    let begun = 0
    for (let more = 1; more > 0; begun += more) {
      more = lanes.offer()(first, anyMax)
      for (let count = 0; count < more; count += 1) lanes.enter(first)
    }
    // Retries that were planned for the same minute begin in it: a dozen as well as one.
    expect((begun * 60_000) / merchantWebhooks.timeoutMs).toBeGreaterThanOrEqual(60)
    expect(begun).toBeLessThan(10)
    for (const receiver of others.slice(0, 60)) lanes.enter(receiver)
    expect(lanes.offer()(others[70] ?? first, anyMax)).toBe(1)
  })

  it('do not have an endpoint wait with those that hang because it was not quick once', () => {
    const lanes = createLanes()
    const place = lanes.enter(healthy)
    untilTrue(() => lanes.running().beside === 1)
    place.end()
    expect(lanes.offer()(healthy, anyMax)).toBe(4)
  })

  it('keep the places of those that hang for them, while others are only not quick', () => {
    const lanes = lanesWithHung(hung)
    for (let count = 0; count < 200; count += 1) lanes.enter(at(`not quick ${count}`))
    untilTrue(() => lanes.running().beside === 200)
    expect(lanes.running()).toEqual({ fast: 0, slow: 0, beside: 200 })
    expect(lanes.offer()(at('hangs 0'), anyMax)).toBe(4)
  })

  it('take an endpoint back that has become quick', () => {
    const lanes = lanesWithHung(hung)
    const last = at('hangs 399')
    const full = () => {
      const take = lanes.offer()
      for (const receiver of hung) take(receiver, anyMax)
      return take
    }
    expect(full()(last, anyMax)).toBe(0)
    lanes.enter(last).end()
    expect(full()(last, anyMax)).toBe(4)
  })
})

describe('between businesses, the lanes', () => {
  const newcomer = at('hangs too', 'another business')

  it('leave places for others when all endpoints of eight hang that nobody knew of', () => {
    const lanes = lanesWithHealthy()
    const places = startAll(lanes, hungOf(8, 100))
    expect(Math.max(...places) - Math.min(...places)).toBeLessThan(10)
    expect(lanes.offer()(healthy, anyMax)).toBe(4)
    expect(lanes.offer()(newcomer, anyMax)).toBe(1)
  })

  it('let one endpoint that hangs have its turn at once beside eight hundred of eight others', () => {
    const receivers = hungOf(8, 100)
    const lanes = lanesWithHung([...receivers, newcomer])
    startAll(lanes, receivers)
    expect(lanes.offer()(newcomer, anyMax)).toBe(1)
  })

  it('let one alone have most of the places', () => {
    const endpoints = Array.from({ length: 100 }, (_, index) => at(`quick ${index}`, 'busy'))
    const lanes = lanesWithHealthy()
    for (const endpoint of endpoints) lanes.enter(endpoint).end()
    const take = lanes.offer()
    const places = endpoints.reduce((sum, endpoint) => sum + take(endpoint, anyMax), 0)
    expect(places).toBeGreaterThan(150)
    expect(take(healthy, anyMax)).toBe(4)
  })
})

describe('turns', () => {
  const due = ({ businessId, endpointId }: Receiver) => ({
    businessId,
    endpointId,
    environment: 'live' as const,
    shard: 0,
    runAt: new Date(0),
  })
  const many = Array.from({ length: 100 }, (_, index) => due(at(`of many ${index}`, 'many')))
  const single = due(at('single'))

  it('are taken by businesses first: one with a hundred endpoints comes no oftener', () => {
    const turns = createTurns()
    const all = [...many, single]
    for (let round = 0; round < 5; round += 1) {
      const firstTwo = turns.inOrder(all, () => true).slice(0, 2)
      expect(firstTwo.map(({ businessId }) => businessId).toSorted()).toEqual(['many', 'single'])
      // Room for one only: whoever had it waits for the other.
      const [first] = firstTwo
      turns.took(first ? [first] : [])
      expect(turns.inOrder(all, () => true)[0]?.businessId).not.toBe(first?.businessId)
    }
  })

  it('are taken by the endpoints of a business one after the other', () => {
    const turns = createTurns()
    const had = new Set<string>()
    for (const _ of many) {
      const [first] = turns.inOrder(many, () => true)
      had.add(first?.endpointId ?? '')
      turns.took(first ? [first] : [])
    }
    expect(had.size).toBe(100)
  })

  it('of a business are not used up by an endpoint of it that hangs', () => {
    const [hanging, quick] = [due(at('hangs', 'mixed')), due(at('quick', 'mixed'))]
    const busy = Array.from({ length: 200 }, (_, index) => due(at(`busy ${index}`)))
    const all = [hanging, quick, ...busy]
    const lanes = lanesWithHealthy()
    for (const endpoint of [quick, ...busy]) lanes.enter(endpoint).end()
    const place = lanes.enter(hanging)
    const turns = createTurns()
    let before: unknown[] = []
    // While it hangs the others have their turns again and again, and there are too few places.
    for (let round = 1; round <= 10; round += 1) {
      const take = lanes.offer()
      const waiting = turns.inOrder(all, lanes.hasRoom)
      const begun = waiting.filter((endpoint) => take(endpoint, anyMax) > 0)
      expect(begun.length).toBeLessThan(190)
      turns.took(begun)
      if (round % 2 === 0) expect([...before, ...begun]).toContain(quick)
      before = begun
    }
    place.end()
    expect(turns.inOrder(all, lanes.hasRoom)).toContain(hanging)
  })
})

function untilTrue(wanted: () => boolean): void {
  for (let passedMs = 0; !wanted(); passedMs += 5) {
    if (passedMs > 20_000) throw new Error('it did not happen')
    vi.advanceTimersByTime(5)
  }
}
