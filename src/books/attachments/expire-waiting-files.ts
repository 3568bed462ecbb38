// Removes files that wait for a document which no one saved.
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import type { BooksContext } from '../context.ts'
import { waitingDays } from './attachment.ts'
import { listAbandonedFiles, updateWaitingFileToRemoved } from './attachment-store.ts'

const batchSize = 100
const dayMs = 24 * 60 * 60 * 1000

export const expireWaitingFilesSchedule = defineSchedule({
  name: 'expire-waiting-files',
  everySeconds: 60 * 60,
  async run({ database, clock }: BooksContext, signal) {
    const now = clock.now()
    const before = new Date(now.getTime() - waitingDays * dayMs)
    let found: readonly { readonly id: string }[]
    do {
      const abandoned = await listAbandonedFiles(database.sql, before, batchSize)
      for (const { id, ...tenant } of abandoned) {
        if (signal.aborted) return
        await database.transaction((tx) => updateWaitingFileToRemoved(tx, tenant, id, now))
      }
      found = abandoned
    } while (found.length === batchSize)
  },
})
