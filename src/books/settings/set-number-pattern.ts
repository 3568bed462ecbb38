// Changes the number pattern of a kind of document. Assigned numbers stay, and none is assigned
// twice: a pattern that would repeat a used number is refused.
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
  summary: 'Change the number pattern of a kind of document',
  kind: 'write',
  input: numberPatternInput,
  scopes: [],
  roles: adminRoles,
  async run(context, actor, { kind, pattern }): Promise<z.output<typeof numberPatternInput>> {
    const problem = patternProblem(pattern)
    if (problem) throw invalidField('pattern', `${problem} Example: ${defaultPatterns[kind]}`)
    await context.database.transaction(async (tx) => {
      // Assigning a number shares the lock until it is used.
      const before = await lockPattern(tx, actor, kind, 'update')
      if (before === pattern) {
        context.call.nothingChanged()
        return
      }
      const taken = await findNumberInUse(tx, actor, kind, pattern)
      if (taken) {
        throw invalidField('pattern', `Number ${taken} is already in use. Choose another pattern.`)
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
