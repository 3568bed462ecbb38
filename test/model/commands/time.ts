// Time passes, and the worker runs.
import { defineCommand, nothing, type Subject } from '../command.ts'
import { type Model, minuteMs, runBackground } from '../model.ts'
import { runPayouts } from '../money-out.ts'
import type { Real } from '../real.ts'
import { runRecipients } from '../recipients.ts'

export const advance = defineCommand(
  'advance the clock',
  [15, 40, 25 * 60],
  (model) => model,
  async (model, real, _, minutes) => passTime(model, real, minutes),
)

const background = defineCommand(
  'run the worker',
  nothing,
  (model) => (hasBegun(model) ? model : undefined),
  async (model, real) => work(model, real),
)

function hasBegun({ payments, payouts, recipients }: Model): boolean {
  return payments.length + payouts.length + recipients.length > 0
}

export async function passTime(model: Model, real: Real, minutes: number): Promise<void> {
  real.clock.advance(minutes * minuteMs)
  model.nowMs += minutes * minuteMs
}

export async function work(model: Model, real: Real): Promise<void> {
  await real.runBackground()
  runBackground(model)
  runPayouts(model)
  runRecipients(model)
}

export const time: Subject = {
  commands: [advance, background, background, background],
  reached: [
    'pending → failed × abandoned',
    'refund × answer lost',
    'refund × given up',
    'refund × found late',
    'refund × approved',
    'refund × failed after acceptance',
  ],
}
