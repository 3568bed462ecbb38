import type { Context } from '../../kernel/db/context.ts'
import type { Pause } from './pause.ts'
import { listStandingPauses } from './pause-store.ts'

// One for each kind that is paused now: the pause that ends last.
export async function listLongestPauses(context: Context): Promise<Pause[]> {
  const pauses = await listStandingPauses(context.database.sql, context.clock.now())
  return pauses.filter(({ kind }, index) => pauses.findIndex((one) => one.kind === kind) === index)
}
