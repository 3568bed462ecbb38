import type { Context } from '../../kernel/db/context.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { type PauseKind, pausedFault } from './pause.ts'
import { findPause } from './pause-store.ts'

// Checked after the replay of an idempotent call and the verification check, before anything is
// recorded. Inside a transaction, pass its `tx`. It is read each time and never cached: a pause
// must apply in every process as soon as the operator has set it.
export async function requireNotPaused(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  kind: PauseKind,
  sql: Sql | Tx = database.sql,
): Promise<void> {
  const now = clock.now()
  const pause = await findPause(sql, kind, now)
  if (pause) throw pausedFault(pause, now)
}

// As a check of an operation.
export const notPaused = (kind: PauseKind) => (context: Pick<Context, 'database' | 'clock'>) =>
  requireNotPaused(context, kind)
