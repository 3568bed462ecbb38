import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { periodInput } from '../reports/report-period.ts'
import { drawStatement, type StatementFile } from './draw-statement.ts'
import { readStatement } from './read-statement.ts'

export const getStatementFile = defineOperation({
  name: 'get-statement-file',
  summary: 'Draw the statement of a contact as PDF',
  kind: 'read',
  input: z.strictObject({ id: uuid(), ...periodInput }),
  scopes: [],
  roles: everyRole,
  async run(context, actor, input): Promise<StatementFile> {
    const { statement, language } = await readStatement(context, actor, input)
    return drawStatement(context, actor, statement, language)
  },
})
