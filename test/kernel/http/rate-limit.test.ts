import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressKey, createRateLimiter, type Verdict } from '../../../src/kernel/http/rate-limit.ts'

const allowed = { allowed: true }
const refusedFor = (retryAfterSeconds: number): Verdict => ({ allowed: false, retryAfterSeconds })

function limiterAt(start = 1_000_000, keysMax?: number) {
  const time = { now: start }
  const options = keysMax === undefined ? {} : { keysMax }
  return { time, limiter: createRateLimiter({ nowMs: () => time.now, ...options }) }
}

describe('a limit of 180 a minute', () => {
  test('lets the 180th request in and refuses the 181st', () => {
    const { limiter } = limiterAt()
    for (let request = 1; request <= 180; request += 1) {
      expect(limiter.take('key:a', 180)).toMatchObject(allowed)
    }
    expect(limiter.take('key:a', 180)).toEqual(refusedFor(60))
  })

  test('counts every key by itself', () => {
    const { limiter } = limiterAt()
    for (let request = 1; request <= 180; request += 1) limiter.take('key:a', 180)
    expect(limiter.take('key:a', 180)).toEqual(refusedFor(60))
    expect(limiter.take('key:b', 180)).toMatchObject(allowed)
  })

  // covers: Rate window: sliding
  test('slides: places come back one by one as the requests leave the minute', () => {
    const { limiter, time } = limiterAt()
    for (let request = 0; request < 180; request += 1) {
      limiter.take('key:a', 180)
      time.now += 100
    }
    time.now += 42_000
    // The first request is now exactly a minute old, the second 100 ms short of it.
    expect(limiter.take('key:a', 180)).toMatchObject(allowed)
    expect(limiter.take('key:a', 180)).toEqual(refusedFor(1))
    time.now += 100
    expect(limiter.take('key:a', 180)).toMatchObject(allowed)
    expect(limiter.take('key:a', 180)).toEqual(refusedFor(1))
  })
})

describe('the window', () => {
  // covers: Rate window: sliding
  test('still holds a request after 59,999 ms and no more after 60,000 ms', () => {
    const { limiter, time } = limiterAt()
    limiter.take('a', 1)
    time.now += 59_999
    expect(limiter.take('a', 1)).toEqual(refusedFor(1))
    time.now += 1
    expect(limiter.take('a', 1)).toMatchObject(allowed)
  })

  test('is not prolonged by requests that were refused', () => {
    const { limiter, time } = limiterAt()
    limiter.take('a', 1)
    for (let second = 1; second < 60; second += 1) {
      time.now += 1_000
      expect(limiter.take('a', 1)).toEqual(refusedFor(60 - second))
    }
    time.now += 1_000
    expect(limiter.take('a', 1)).toMatchObject(allowed)
  })

  // covers: Rate window: sliding
  test('lets in who waited exactly Retry-After, whatever the fraction of a millisecond', () => {
    const { limiter, time } = limiterAt(0.1)
    limiter.take('a', 1)
    time.now = 1_000.1
    const verdict = limiter.take('a', 1)
    expect(verdict).toEqual(refusedFor(59))
    time.now += 59_000
    expect(limiter.take('a', 1)).toMatchObject(allowed)
  })

  test('after a lowered limit names the time when a place is really free', () => {
    const { limiter, time } = limiterAt()
    for (let request = 0; request < 10; request += 1) {
      limiter.take('a', 10)
      time.now += 1_000
    }
    // Ten are counted; eight have to leave before a limit of three has room.
    expect(limiter.take('a', 3)).toEqual(refusedFor(57))
    time.now += 57_000
    expect(limiter.take('a', 3)).toMatchObject(allowed)
    expect(limiter.take('a', 3)).toEqual(refusedFor(1))
  })
})

describe('a clock that is set back', () => {
  test('keeps no one out for longer than it said before', () => {
    const { limiter, time } = limiterAt()
    limiter.take('a', 1)
    time.now += 10_000
    expect(limiter.take('a', 1)).toEqual(refusedFor(50))
    time.now -= 3_600_000
    expect(limiter.take('a', 1)).toEqual(refusedFor(50))
    time.now += 49_999
    expect(limiter.take('a', 1)).toEqual(refusedFor(1))
    time.now += 1
    expect(limiter.take('a', 1)).toMatchObject(allowed)
  })
})

describe('memory', () => {
  test('keeps the keys used most recently when a flood of others arrives', () => {
    const { limiter } = limiterAt(0, 200)
    limiter.take('busy', 2)
    limiter.take('busy', 2)
    for (let stranger = 0; stranger < 10_000; stranger += 1) {
      limiter.take(`address:${stranger}`, 2)
      if (stranger % 90 === 0) expect(limiter.take('busy', 2)).toEqual(refusedFor(60))
    }
    expect(limiter.take('busy', 2)).toEqual(refusedFor(60))
    // The last 199 are remembered, and what came before is forgotten.
    expect(limiter.take('address:9950', 1)).toEqual(refusedFor(60))
    expect(limiter.take('address:1', 1)).toMatchObject(allowed)
  })

  test('of a key lasts while its window does', () => {
    const { limiter, time } = limiterAt(0)
    limiter.take('other', 1)
    time.now = 59_000
    limiter.take('a', 2)
    time.now = 61_000
    limiter.take('a', 2)
    time.now = 118_999
    expect(limiter.take('a', 2)).toEqual(refusedFor(1))
    time.now = 119_000
    expect(limiter.take('a', 2)).toMatchObject(allowed)
    time.now = 120_999
    expect(limiter.take('a', 2)).toEqual(refusedFor(1))
    time.now = 121_000
    expect(limiter.take('a', 2)).toMatchObject(allowed)
  })

  test('never holds more keys than its bound, whatever arrives', () => {
    const { limiter } = limiterAt(0, 200)
    let most = 0
    for (let stranger = 0; stranger < 1_000; stranger += 1) {
      limiter.take(`address:${stranger}`, 2)
      most = Math.max(most, limiter.keysHeld())
    }
    expect(most).toBe(200)
  })

  test('is given back by keys that went idle', () => {
    const { limiter, time } = limiterAt(0)
    for (let key = 0; key < 1_000; key += 1) limiter.take(`address:${key}`, 600)
    expect(limiter.keysHeld()).toBe(1_000)
    time.now += 60_000
    limiter.take('a', 600)
    time.now += 60_000
    limiter.take('a', 600)
    expect(limiter.keysHeld()).toBe(1)
  })

  test('is not taken by a limit that no one uses up', () => {
    const { limiter } = limiterAt()
    expect(limiter.take('a', Number.MAX_SAFE_INTEGER)).toMatchObject(allowed)
  })
})

test('a limit that is no positive whole number is a bug', () => {
  const { limiter } = limiterAt()
  for (const limit of [0, -1, 1.5, Number.NaN]) {
    expect(() => limiter.take('a', limit)).toThrow('assertion failed')
  }
})

test('agrees with a list of all requests ever let in', () => {
  const step = fc.record({
    key: fc.constantFrom('a', 'b', 'c'),
    limit: fc.constantFrom(1, 2, 5, 9, 20),
    // Often no time at all, often near the window's edge.
    gapMs: fc.oneof(
      fc.constant(0),
      fc.integer({ min: 0, max: 3_000 }),
      fc.constantFrom(1, 999, 1_000, 59_999, 60_000, 60_001),
    ),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const { limiter, time } = limiterAt()
      const letIn = new Map<string, number[]>()
      for (const { key, limit, gapMs } of steps) {
        time.now += gapMs
        const all = letIn.get(key) ?? []
        expect(limiter.take(key, limit)).toEqual(naive(all, limit, time.now))
        letIn.set(key, all)
      }
    }),
    { numRuns: 300 },
  )
})

// What the contract says, by trying every second: the first at which there would be room.
function naive(all: number[], limit: number, now: number): Verdict {
  const countedAt = (time: number) => all.filter((taken) => taken > time - 60_000)
  const countAt = (time: number) => countedAt(time).length
  if (countAt(now) < limit) {
    all.push(now)
    const remaining = limit - countAt(now)
    let resetSeconds = 1
    while (countAt(now + resetSeconds * 1000) === countAt(now)) resetSeconds += 1
    return { allowed: true, remaining, resetSeconds }
  }
  let seconds = 1
  while (countAt(now + seconds * 1000) >= limit) seconds += 1
  return refusedFor(seconds)
}

test('the machines of one IPv6 /64 share a limit, and every IPv4 address has its own', () => {
  expect(addressKey('2001:db8:1:2:aaaa::1')).toBe(addressKey('2001:db8:1:2:ffff::2'))
  expect(addressKey('2001:db8:1:2::1')).not.toBe(addressKey('2001:db8:1:3::1'))
  expect(addressKey('192.0.2.1')).not.toBe(addressKey('192.0.2.2'))
  expect(addressKey('::ffff:192.0.2.1')).toBe(addressKey('192.0.2.1'))
  expect(addressKey('unknown')).toBe('unknown')
})
