// A pause stops new payments, refunds or payouts for maintenance, for every business and both
// environments, until an announced end. Requests that were already accepted continue.
//
//   payments pressing Pay, everything else that creates a payment, and new links and codes. A
//             repeated idempotency key still gets its link.
//   refunds requested or approved refunds; not those recorded before the pause, nor those that
//             the system owes
//   payouts requested or approved payouts; not those that were sent
import { Fault } from '../../kernel/basics/fault.ts'

export const pauseKinds = ['payments', 'refunds', 'payouts'] as const
export type PauseKind = (typeof pauseKinds)[number]

export const pauseReasonMax = 500

export type Pause = {
  readonly id: string
  readonly kind: PauseKind
  readonly reason: string | null
  readonly setBy: string
  readonly setAt: Date
  readonly endsAt: Date
  readonly liftedBy: string | null
  readonly liftedAt: Date | null
}

const subjects: Readonly<Record<PauseKind, string>> = {
  payments: 'New payments are',
  refunds: 'Refunds are',
  payouts: 'Payouts are',
}

// At least a second: a caller that returns at once would meet the pause again.
export function secondsLeft({ endsAt }: Pick<Pause, 'endsAt'>, now: Date): number {
  return Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / 1000))
}

// Callers don't see the operator's reason.
export function pausedFault({ kind, endsAt }: Pause, now: Date): Fault {
  const message =
    `${subjects[kind]} paused for maintenance until ${endsAt.toISOString()}. ` +
    'Nothing was processed.'
  return new Fault('service_paused', message, {
    retryAfterSeconds: secondsLeft({ endsAt }, now),
  })
}
