import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { listTaxCodes as listStoredTaxCodes } from './tax-code-store.ts'

export const listTaxCodes = defineOperation({
  name: 'list-tax-codes',
  summary: 'List the tax codes',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  run: ({ database }, actor) => listStoredTaxCodes(database.sql, actor),
})
