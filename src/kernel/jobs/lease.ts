// A claim is held by renewing it. Whoever cannot renew must assume that another worker has taken
// over, and stop: the signal aborts when the claim turns out to be someone else's, and also when
// no renewal got through until the lease had run out, be it that they failed or that they hang.
import { addSeconds } from '../basics/clock.ts'
import type { Context } from '../db/context.ts'
import { errorText } from './error-text.ts'

export type LeaseEnd = 'lost' | 'stopping'

export type Lease = {
  readonly signal: AbortSignal
  // Null while the lease is held.
  ended(): LeaseEnd | null
  end(reason: LeaseEnd): void
  stopRenewing(): void
}

export type LeaseOptions = {
  readonly leaseSeconds: number
  readonly leaseUntil: Date
  // Only tests need to renew more often than a third of the lease.
  readonly heartbeatMsMax: number
  readonly renew: (until: Date) => Promise<boolean>
}

// Two renewals may fail before the lease is gone.
const renewalsPerLease = 3

export function holdLease(context: Pick<Context, 'clock' | 'log'>, options: LeaseOptions): Lease {
  const { clock, log } = context
  const controller = new AbortController()
  const heartbeatMs = Math.min(
    (options.leaseSeconds * 1000) / renewalsPerLease,
    options.heartbeatMsMax,
  )
  let leaseUntil = options.leaseUntil
  let endReason: LeaseEnd | null = null
  let timer: NodeJS.Timeout | undefined
  let expiry: NodeJS.Timeout | undefined
  let renewing = true

  function end(reason: LeaseEnd): void {
    endReason ??= reason
    stopRenewing()
    controller.abort()
  }

  function stopRenewing(): void {
    renewing = false
    clearTimeout(timer)
    clearTimeout(expiry)
  }

  // A renewal that hangs neither fails nor answers, so the end of the lease has a timer of its own.
  function watchExpiry(): void {
    clearTimeout(expiry)
    expiry = setTimeout(expire, Math.max(leaseUntil.getTime() - clock.now().getTime(), 0))
  }

  function expire(): void {
    if (clock.now() < leaseUntil) {
      watchExpiry()
    } else {
      log.warn({}, 'a lease ran out before it could be renewed')
      end('lost')
    }
  }

  async function beat(): Promise<void> {
    const until = addSeconds(clock.now(), options.leaseSeconds)
    try {
      const held = await options.renew(until)
      // Completed, released or stopped while the renewal was under way: not a loss.
      if (!renewing) return
      if (!held) return end('lost')
      leaseUntil = until
      watchExpiry()
    } catch (error) {
      log.warn({ error: errorText(error) }, 'a lease could not be renewed')
      if (clock.now() >= leaseUntil) return end('lost')
    }
    if (renewing) schedule()
  }

  function schedule(): void {
    timer = setTimeout(beat, heartbeatMs)
  }

  schedule()
  watchExpiry()
  return { signal: controller.signal, ended: () => endReason, end, stopRenewing }
}
