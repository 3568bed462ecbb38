// The operator's `cli pause`, from inside a test.
import { operatorActor } from '../../src/kernel/auth/actor.ts'
import { addSeconds } from '../../src/kernel/basics/clock.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import { liftPauses } from '../../src/merchant/pauses/lift-pauses.ts'
import type { PauseKind } from '../../src/merchant/pauses/pause.ts'
import { setPauses } from '../../src/merchant/pauses/set-pauses.ts'
import type { World } from './world.ts'

export async function pause({ context }: World, kind: PauseKind, seconds = 600): Promise<Date> {
  const endsAt = addSeconds(context.clock.now(), seconds)
  const wanted = { kinds: [kind], endsAt, reason: 'the bank moves house' }
  await runOperation(setPauses, context, operatorActor('test'), wanted)
  return endsAt
}

export async function lift({ context }: World, kind: PauseKind): Promise<boolean> {
  const wanted = { kinds: [kind] }
  const [lifted] = await runOperation(liftPauses, context, operatorActor('test'), wanted)
  return lifted?.isLifted === true
}
