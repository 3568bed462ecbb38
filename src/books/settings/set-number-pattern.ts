// Changes how documents of a kind are numbered from now on. Numbers that were given stay, and none
// is given twice: a pattern that would come upon a number that is taken is refused.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { line, oneOf } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { defaultPatterns, numberedKinds, patternProblem } from './number-series.ts'
import { findNumberInUse, lockPattern, updatePattern } from './number-series-store.ts'

const numberPatternInput = z.strictObject({
  kind: oneOf(numberedKinds),
  pattern: line(40),
})

export const setNumberPattern = defineOperation({
  name: 'set-number-pattern',
  summary: 'Change how documents of a kind are numbered',
  kind: 'write',
  input: numberPatternInput,
  scopes: [],
  roles: adminRoles,
  async run(context, actor, { kind, pattern }): Promise<z.output<typeof numberPatternInput>> {
    const problem = patternProblem(pattern)
    if (problem) throw invalidField('pattern', `${problem} An example: ${defaultPatterns[kind]}.`)
    await context.database.transaction(async (tx) => {
      // Whoever takes a number at this moment shares the lock until it is given.
      const before = await lockPattern(tx, actor, kind, 'update')
      if (before === pattern) {
        context.call.nothingChanged()
        return
      }
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
    return { kind, pattern }
  },
})
