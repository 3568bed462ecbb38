// The decisions about an import: save the rows of a file that has no problem, and take everything
// back that an import has made. A job does the work.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { enqueueJob } from '../../kernel/jobs/enqueue-job.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { type BooksContext, defineOperation } from '../context.ts'
import { today } from '../settings/organisation.ts'
import { lockOrganisation } from '../settings/organisation-store.ts'
import { findImportFile, findSameFile, lockImport, updateImport } from './import-store.ts'
import { runImportJob } from './run-import.ts'
import type { ImportRecord, ImportStatus } from './started-import.ts'

export const confirmImport = defineOperation({
  name: 'confirm-import',
  summary: 'Save the rows of a checked file',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: adminRoles,
  run: (context, actor, { id }) =>
    move(context, actor, id, {
      from: ['checked'],
      to: 'importing',
      action: 'import.confirm',
      refusal: 'Only a file that was checked without a problem can be imported.',
    }),
})

export const undoImport = defineOperation({
  name: 'undo-import',
  summary: 'Take back everything that an import has made',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: adminRoles,
  run: (context, actor, { id }) =>
    move(context, actor, id, {
      from: ['imported', 'stopped'],
      to: 'undoing',
      action: 'import.undo',
      refusal: 'Only an import that is finished can be undone.',
    }),
})

type Move = {
  readonly from: readonly ImportStatus[]
  readonly to: ImportStatus
  readonly action: string
  readonly refusal: string
}

async function move(
  context: BooksContext,
  actor: Actor,
  id: string,
  { from, to, action, refusal }: Move,
): Promise<ImportRecord> {
  return context.database.transaction(async (tx) => {
    const before = await lockImport(tx, actor, id)
    if (!before) throw notFound('import')
    if (!from.includes(before.status)) throw new Fault('conflict', refusal)
    if (to === 'importing') await requireNewFile(tx, actor, before)
    const changes = {
      status: to,
      stepsDone: 0,
      problems: [],
      personId: actor.kind === 'person' ? actor.personId : null,
      personRole: actor.kind === 'person' ? actor.role : null,
    }
    await updateImport(tx, actor, before, changes)
    const { businessId, environment } = actor
    await enqueueJob(tx, context, runImportJob, {
      tenant: { businessId, environment },
      payload: { importId: id, from: before.status },
    })
    await recordAct(tx, context, actor, {
      action,
      objectKind: 'import',
      objectId: id,
      detail: { name: before.name, rows: before.rowCount },
    })
    return { ...before, ...changes }
  })
}

// The same file may have been uploaded twice before either was imported. The organisation is
// locked, so that of two people one sees the import of the other.
async function requireNewFile(tx: Tx, actor: Actor, { id, name }: ImportRecord): Promise<void> {
  const organisation = await lockOrganisation(tx, actor)
  const { sha256, content, contentSealed } = await findImportFile(tx, actor, id)
  if (!content && !contentSealed) {
    throw new Fault('conflict', 'The file was deleted after 30 days. Upload it again.')
  }
  const same = await findSameFile(tx, actor, name, sha256)
  if (!same) return
  const day = today(organisation, same.createdAt)
  throw new Fault('conflict', `This file was already imported on ${day}. Undo that import first.`)
}
