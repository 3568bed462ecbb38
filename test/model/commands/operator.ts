// The operator's actions: setting and lifting pauses.
import { expect } from 'vitest'
import type { PauseKind } from '../../../src/merchant/pauses/pause.ts'
import { lift, pause } from '../../support/pauses.ts'
import { defineCommand, nothing, pick, type Subject } from '../command.ts'
import { isPaused, minuteMs } from '../model.ts'

const kinds: readonly PauseKind[] = ['payments', 'refunds', 'payouts']
// Longer than the shorter of the steps in which time passes, and shorter than the other.
const pauseMinutes = 20

const setOne = defineCommand(
  'pause',
  kinds,
  (model, nth, kind) => (nth % 3 === 0 && !isPaused(model, kind) ? model : undefined),
  async (model, real, _, kind) => {
    await pause(real.world, kind, pauseMinutes * 60)
    model.pausedUntilMs.set(kind, model.nowMs + pauseMinutes * minuteMs)
  },
)

const liftOne = defineCommand(
  'lift a pause',
  nothing,
  (model, nth) => pick([...model.pausedUntilMs.keys()], nth),
  async (model, real, kind) => {
    const isStanding = isPaused(model, kind)
    expect(await lift(real.world, kind)).toBe(isStanding)
    model.pausedUntilMs.delete(kind)
    model.tally(`lift × ${isStanding ? 'standing' : 'over'}`)
  },
)

export const operator: Subject = {
  openings: [
    [
      ...['pay out (to bank, size small, fault none)', 'pay out (to bank, size large, fault none)'],
      ...['pause (payouts)', 'pay out (to wallet, size small, fault none)', 'approve payout'],
      ...['repeat payout (false)', 'run the worker', 'advance the clock (40)', 'lift a pause'],
      ...['create link (amountMinor 500000, isKeyed false)', 'press Pay', 'pay by card (none)'],
      ...['pause (payments)', 'press Pay', 'come back', 'refund (size rest, fault none)'],
      ...['pause (refunds)', 'refund (size part, fault none)', 'approve', 'lift a pause'],
      ...['approve payout', 'pay out (to bank, size small, fault none)', 'run the worker'],
    ],
  ],
  commands: [setOne, liftOne],
  reached: [
    'press Pay × paused',
    'refund × answer 503',
    'approve × paused',
    'pay out × answer 503',
    'approve payout × paused',
    'repeat payout × paused',
    'payout × ended during a pause',
    'lift × standing',
    'lift × over',
  ],
}
