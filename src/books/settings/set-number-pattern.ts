// Changes how documents of a kind are numbered from now on. Numbers that were given stay, and none
// is given twice: a pattern that would come upon a number that is taken is refused.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import type { Context } from '../../kernel/db/context.ts'
import { line, oneOf } from '../../kernel/operations/schemas.ts'
import { validated } from '../../kernel/operations/validate.ts'
import { requireRole } from '../operations/permissions.ts'
import { defaultPatterns, numberedKinds, patternProblem } from './number-series.ts'
import { findNumberInUse, lockPattern, updatePattern } from './number-series-store.ts'

export const numberPatternInput = z.strictObject({
  kind: oneOf(numberedKinds),
  pattern: line(40),
})

export async function setNumberPattern(
  context: Context,
  actor: Actor,
  input: z.input<typeof numberPatternInput>,
): Promise<void> {
  requireRole(actor, 'administer')
  const { kind, pattern } = validated(numberPatternInput, input)
  const problem = patternProblem(pattern)
  if (problem) throw invalidField('pattern', `${problem} An example: ${defaultPatterns[kind]}.`)
  await context.database.transaction(async (tx) => {
    // Whoever takes a number at this moment shares the lock until it is given.
    const before = await lockPattern(tx, actor, kind, 'update')
    if (before === pattern) return
    const taken = await findNumberInUse(tx, actor, kind, pattern)
    if (taken) {
      throw invalidField('pattern', `This would come upon ${taken} again. Choose another.`)
    }
    await updatePattern(tx, actor, kind, pattern)
    await recordAct(tx, context, actor, {
      action: 'number_series.update',
      objectKind: 'number_series',
      objectId: actor.businessId,
      detail: { kind, before, pattern },
    })
  })
}
