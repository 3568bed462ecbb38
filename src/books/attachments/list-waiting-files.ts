import { z } from 'zod'
import { actorId } from '../../kernel/auth/actor.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { type Attachment, waitingFilesMax } from './attachment.ts'
import { listWaitingFiles as listStored } from './attachment-store.ts'

export const listWaitingFiles = defineOperation({
  name: 'list-waiting-files',
  summary: 'List which of your files still wait for the first save of a document',
  kind: 'read',
  input: z.strictObject({ ids: z.array(uuid()).max(waitingFilesMax) }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, { ids }): Promise<readonly Attachment[]> {
    if (ids.length === 0) return []
    const waiting = await listStored(sql, actor, actorId(actor))
    return waiting.filter(({ id }) => ids.includes(id))
  },
})
