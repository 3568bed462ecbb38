// Finds the misbehaviour that applies now. This uses up a rule, so it is called once per occasion.
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { World } from '../world.ts'
import { type MagicPlace, magicEffects } from './magic-amounts.ts'
import type { Effect, Subject } from './rule.ts'
import { findAnyRule, updateMatchingRules } from './rule-store.ts'

export async function consumeRules(
  sql: Sql | Tx,
  world: World,
  place: MagicPlace,
  operations: readonly string[],
  subject: Subject,
): Promise<Effect[]> {
  const magic = world.magicAmounts ? magicEffects(place, subject.amount, operations[0]) : []
  // Most worlds have no rules, and this check takes no lock.
  if (!(await findAnyRule(sql, world.tenant, operations))) return magic
  return [...(await updateMatchingRules(sql, world.tenant, operations, subject)), ...magic]
}
