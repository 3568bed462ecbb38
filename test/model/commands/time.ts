// Time goes by, and the worker works.
import { defineCommand, nothing, type Subject } from '../command.ts'
import { type Model, minuteMs, runBackground } from '../model.ts'
import type { Real } from '../real.ts'

const advance = defineCommand(
  'advance the clock',
  [15, 40],
  (model) => model,
  async (model, real, _, minutes) => passTime(model, real, minutes),
)

const background = defineCommand(
  'run the worker',
  nothing,
  (model) => (model.payments.length > 0 ? model : undefined),
  async (model, real) => work(model, real),
)

export async function passTime(model: Model, real: Real, minutes: number): Promise<void> {
  real.clock.advance(minutes * minuteMs)
  model.nowMs += minutes * minuteMs
}

export async function work(model: Model, real: Real): Promise<void> {
  await real.runBackground()
  runBackground(model)
}

export const time: Subject = {
  commands: [advance, background, background, background],
  reached: [
    'pending → failed × abandoned',
    'refund × answer lost',
    'refund × not sent',
    'refund × approved',
    'refund × failed after acceptance',
  ],
}
