// Sends an event to a developer's program. This runs on the developer's machine, so the egress
// guard of the service is not needed.
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../kernel/basics/clock.ts'
import type { WebhookRequest } from '../../kernel/webhooks/profile.ts'

export type Forwarded = {
  readonly status: number | null
  // Null if the program answered.
  readonly error: string | null
  readonly durationMs: number
}

export type Forwarding = {
  readonly clock: Clock
  readonly url: string
  readonly timeoutMs: number
  // How long to retry while no program listens.
  readonly patienceMs: number
  readonly signal: AbortSignal
  // Signed again for every try.
  request(attemptNumber: number): WebhookRequest
}

const pauseMs = 250

// Waits for a program that is being restarted. Any response counts as an answer.
export async function forwardEvent(forwarding: Forwarding): Promise<Forwarded> {
  const { clock, patienceMs, signal } = forwarding
  const startedMs = clock.monotonicMs()
  for (let attemptNumber = 1; ; attemptNumber += 1) {
    const { isAbsent, ...tried } = await tryOnce(forwarding, attemptNumber)
    const isOver = clock.monotonicMs() - startedMs >= patienceMs
    if (!isAbsent || isOver || signal.aborted) return tried
    await pause(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}

async function tryOnce(
  { clock, url, timeoutMs, signal, request }: Forwarding,
  attemptNumber: number,
): Promise<Forwarded & { isAbsent: boolean }> {
  const startedMs = clock.monotonicMs()
  const durationMs = () => Math.round(clock.monotonicMs() - startedMs)
  try {
    const { headers, body } = request(attemptNumber)
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await response.body?.cancel()
    const { status } = response
    return { status, error: null, durationMs: durationMs(), isAbsent: false }
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    return {
      status: null,
      error: isLate ? `no answer within ${timeoutMs / 1000} s` : reasonOf(error),
      durationMs: durationMs(),
      isAbsent: !isLate,
    }
  }
}

// `fetch` hides the cause behind "fetch failed".
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return 'code' in cause ? String(cause.code) : cause.message
}
