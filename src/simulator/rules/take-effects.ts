// Which misbehaviour applies now. Taking uses a rule up, so it is asked once for each occasion.
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { World } from '../world.ts'
import { type MagicPlace, magicEffects } from './magic-amounts.ts'
import type { Effect, Subject } from './rule.ts'
import { findAnyRule, updateMatchingRules } from './rule-store.ts'

export async function takeEffects(
  sql: Sql | Tx,
  world: World,
  place: MagicPlace,
  operations: readonly string[],
  subject: Subject,
): Promise<Effect[]> {
  const magic = world.magicAmounts ? magicEffects(place, subject.amount, operations[0]) : []
  // Most worlds have no rules at all, and a look takes no lock.
  if (!(await findAnyRule(sql, world.tenant, operations))) return magic
  return [...(await updateMatchingRules(sql, world.tenant, operations, subject)), ...magic]
}
