import { z } from 'zod'
import { listMembers as listMembersOf, type Member } from '../auth/membership-store.ts'
import { everyRole } from '../operations/permission.ts'
import { defineOperation } from './define-operation.ts'

export const listMembers = defineOperation({
  name: 'list-members',
  summary: 'List the people of a business, with their roles',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  run: ({ database }, actor): Promise<Member[]> => listMembersOf(database.sql, actor.businessId),
})
