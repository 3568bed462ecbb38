import { z } from 'zod'
import { findNewestActId } from '../auth/logged-act-store.ts'
import { everyRole } from '../operations/permission.ts'
import { defineOperation } from './define-operation.ts'

// Every change writes to the audit log, so a new row means that a page may be out of date.
export const getLastChange = defineOperation({
  name: 'get-last-change',
  summary: 'Read the id of the newest change in a business',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  run: ({ database }, actor): Promise<string | null> => findNewestActId(database.sql, actor),
})
