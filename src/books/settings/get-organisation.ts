import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { findOrganisation } from './organisation-store.ts'

export const getOrganisation = defineOperation({
  name: 'get-organisation',
  summary: 'Show the settings of the books',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  run: ({ database }, actor) => findOrganisation(database.sql, actor),
})
