// A claim is held by renewing its lease. A worker that can't renew must assume that another worker
// has taken over, and stop. The signal aborts when another worker has the claim, and also when no
// renewal succeeded before the lease expired, because renewals failed or hung.
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
  // Only tests renew more often than three times per lease.
  readonly heartbeatMsMax: number
  readonly renew: (until: Date) => Promise<boolean>
}

// Two renewals can fail before the lease expires.
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

  // A hanging renewal neither fails nor answers, so the end of the lease has its own timer.
  function watchExpiry(): void {
    clearTimeout(expiry)
    expiry = setTimeout(expire, Math.max(leaseUntil.getTime() - clock.now().getTime(), 0))
  }

  function expire(): void {
    if (clock.now() < leaseUntil) {
      watchExpiry()
    } else {
      log.warn({}, 'a lease expired before it could be renewed')
      end('lost')
    }
  }

  async function beat(): Promise<void> {
    const until = addSeconds(clock.now(), options.leaseSeconds)
    try {
      const held = await options.renew(until)
      // The job completed, was released or stopped during the renewal. The lease was not lost.
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
