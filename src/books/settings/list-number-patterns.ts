import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { listPatterns } from './number-series-store.ts'

export const listNumberPatterns = defineOperation({
  name: 'list-number-patterns',
  summary: 'List the number patterns of documents',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  run: ({ database }, actor) => listPatterns(database.sql, actor),
})
