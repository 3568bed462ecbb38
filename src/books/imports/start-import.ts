// Takes a file and checks it in the background: every row is tried and nothing is saved.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, invalidField } from '../../kernel/basics/fault.ts'
import { enqueueJob } from '../../kernel/jobs/enqueue-job.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { line, oneOf } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { bookDay, oldDate } from '../input/day-input.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { readCsv } from './csv-table.ts'
import { type UndoableName, undoableNames } from './import.ts'
import { importFileRow } from './import-file.ts'
import { stepsOf } from './import-kinds.ts'
import { findSameFile, insertImport } from './import-store.ts'
import { runImportJob } from './run-import.ts'
import type { ImportRecord } from './started-import.ts'

export const importCharactersMax = 5 * 1024 * 1024

const posted: readonly UndoableName[] = ['invoices', 'bills']

export const startImport = defineOperation({
  name: 'start-import',
  summary: 'Upload a CSV file and check every row',
  kind: 'write',
  input: z.strictObject({
    name: oneOf(undoableNames),
    fileName: line(200),
    // The text of the file.
    content: z.string().max(importCharactersMax, { error: 'The file is too large.' }),
    // The day of opening balances.
    date: bookDay().nullable().default(null),
    // Invoices are issued with their own numbers and bills approved, instead of kept as drafts.
    isPosted: z.boolean().default(false),
    sendsWebhooks: z.boolean().default(false),
    ...oldDate,
  }),
  scopes: [],
  roles: adminRoles,
  async run(context, actor, input): Promise<ImportRecord> {
    const { name, fileName, date, sendsWebhooks } = input
    const confirmsOldDate = input.confirmsOldDate ?? false
    const isPosted = input.isPosted && posted.includes(name)
    const content = Buffer.from(input.content, 'utf8')
    const sha256 = createHash('sha256').update(content).digest()
    const table = readCsv(content)
    const steps = stepsOf(name, table, { date, confirmsOldDate, isPosted })
    return context.database.transaction(async (tx) => {
      const organisation = await findOrganisation(tx, actor)
      if (isPosted && organisation.approvalsOn) throw invalidField('isPosted', approvalsText)
      const same = await findSameFile(tx, actor, name, sha256)
      if (same) {
        const day = today(organisation, same.createdAt)
        throw new Fault(
          'conflict',
          `This file was already imported on ${day}. Undo that import first, or change the file.`,
        )
      }
      const record: ImportRecord = {
        id: context.ids.uuid(),
        name,
        fileName,
        date,
        isPosted,
        sendsWebhooks,
        confirmsOldDate,
        status: 'checking',
        rowCount: table.rows.length,
        stepCount: steps.filter(({ isCheck }) => !isCheck).length,
        stepsDone: 0,
        problems: [],
        personId: actor.kind === 'person' ? actor.personId : null,
        personRole: actor.kind === 'person' ? actor.role : null,
        createdAt: context.clock.now(),
        finishedAt: null,
        undoneAt: null,
      }
      const contentSealed = context.secrets.seal(content, importFileRow(record.id))
      await insertImport(tx, actor, { ...record, contentSealed, sha256 })
      const { businessId, environment } = actor
      await enqueueJob(tx, context, runImportJob, {
        tenant: { businessId, environment },
        payload: { importId: record.id },
      })
      await recordAct(tx, context, actor, {
        action: 'import.start',
        objectKind: 'import',
        objectId: record.id,
        detail: { name, rows: record.rowCount },
      })
      return record
    })
  },
})

const approvalsText =
  'Documents need an approval here. Import them as drafts, or switch approvals off meanwhile.'
