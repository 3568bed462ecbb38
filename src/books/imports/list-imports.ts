import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { listLimit } from '../input/list-limit.ts'
import { findImport, listImportObjects, listImports as listStoredImports } from './import-store.ts'

const objectsMax = 200

export const listImports = defineOperation({
  name: 'list-imports',
  summary: 'List the newest imports',
  kind: 'read',
  input: z.strictObject({ limit: listLimit() }),
  scopes: [],
  roles: everyRole,
  run: ({ database }, actor, { limit }) => listStoredImports(database.sql, actor, limit),
})

// With the first objects that it has made.
export const getImport = defineOperation({
  name: 'get-import',
  summary: 'Get an import with its problems and what it made',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, { id }) {
    const record = await findImport(sql, actor, id)
    if (!record) throw notFound('import')
    return { ...record, objects: await listImportObjects(sql, actor, id, objectsMax) }
  },
})
