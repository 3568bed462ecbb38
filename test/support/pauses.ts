// What an operator does with `cli pause`, from inside a test.
import { addSeconds } from '../../src/kernel/basics/clock.ts'
import type { PauseKind } from '../../src/merchant/pauses/pause.ts'
import { liftPause, setPause } from '../../src/merchant/pauses/set-pause.ts'
import type { World } from './world.ts'

export async function pause({ context }: World, kind: PauseKind, seconds = 600): Promise<Date> {
  const endsAt = addSeconds(context.clock.now(), seconds)
  const wanted = { kind, endsAt, reason: 'the bank moves house' }
  await context.database.transaction((tx) => setPause(tx, context, 'test', wanted))
  return endsAt
}

export async function lift({ context }: World, kind: PauseKind): Promise<boolean> {
  return context.database.transaction((tx) => liftPause(tx, context, 'test', kind))
}
