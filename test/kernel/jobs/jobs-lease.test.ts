import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { addSeconds, systemClock } from '../../../src/kernel/basics/clock.ts'
import { createLog } from '../../../src/kernel/basics/log.ts'
import { holdLease } from '../../../src/kernel/jobs/lease.ts'

const leaseSeconds = 30
// Made before time is faked, since it has its own timer.
const log = createLog('silent')

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function hold(renew: (until: Date) => Promise<boolean>) {
  return holdLease(
    { clock: systemClock, log },
    {
      leaseSeconds,
      leaseUntil: addSeconds(systemClock.now(), leaseSeconds),
      heartbeatMsMax: 10_000,
      renew,
    },
  )
}

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

describe('a lease', () => {
  it('is held for as long as its renewals succeed', async () => {
    const lease = hold(async () => true)
    await pass(600)
    expect(lease.ended()).toBeNull()
    lease.stopRenewing()
  })

  it('is lost when a renewal hangs until it has run out', async () => {
    const lease = hold(() => new Promise(() => undefined))
    await pass(leaseSeconds - 1)
    expect(lease.ended()).toBeNull()
    await pass(1)
    expect(lease.ended()).toBe('lost')
    expect(lease.signal.aborted).toBe(true)
  })

  it('counts a hanging renewal from the last one that succeeded', async () => {
    let renewals = 0
    const lease = hold(() => {
      renewals += 1
      return renewals === 1 ? Promise.resolve(true) : new Promise(() => undefined)
    })
    await pass(10 + leaseSeconds - 1)
    expect(lease.ended()).toBeNull()
    await pass(1)
    expect(lease.ended()).toBe('lost')
  })

  it('stays lost when the renewal answers too late', async () => {
    const renewal = Promise.withResolvers<boolean>()
    const lease = hold(() => renewal.promise)
    await pass(leaseSeconds)
    renewal.resolve(true)
    await pass(leaseSeconds)
    expect(lease.ended()).toBe('lost')
  })

  it('leaves no timer behind once it is over', async () => {
    const timersBefore = vi.getTimerCount()
    const lease = hold(async () => true)
    await pass(25)
    expect(vi.getTimerCount()).toBe(timersBefore + 2)
    lease.stopRenewing()
    expect(vi.getTimerCount()).toBe(timersBefore)
  })
})
