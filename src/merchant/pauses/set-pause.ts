// What an operator does to pauses. There is no business whose audit log could say so: the rows
// themselves are the record, and nothing deletes them.
import { invalid } from '../../kernel/basics/fault.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { Pause, PauseKind } from './pause.ts'
import { insertPause, updatePausesLifted } from './pause-store.ts'

// A pause that stands is replaced, which is how its end is moved.
export async function setPause(
  tx: Tx,
  { clock, ids, log }: Context,
  by: string,
  wanted: Pick<Pause, 'kind' | 'endsAt' | 'reason'>,
): Promise<Pause> {
  const now = clock.now()
  if (wanted.endsAt <= now) throw invalid('The end of a pause must be in the future.')
  await updatePausesLifted(tx, wanted.kind, { by, at: now })
  const pause: Pause = {
    ...wanted,
    id: ids.uuid(),
    setBy: by,
    setAt: now,
    liftedBy: null,
    liftedAt: null,
  }
  await insertPause(tx, pause)
  log.warn({ kind: pause.kind, endsAt: pause.endsAt.toISOString() }, 'a pause was set')
  return pause
}

// False when nothing of the kind was paused.
export async function liftPause(
  tx: Tx,
  { clock, log }: Context,
  by: string,
  kind: PauseKind,
): Promise<boolean> {
  const count = await updatePausesLifted(tx, kind, { by, at: clock.now() })
  if (count > 0) log.warn({ kind }, 'a pause was lifted')
  return count > 0
}
