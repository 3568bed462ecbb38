// The jobs and schedules of the whole program, for the worker to run.
import { sealAuditLogSchedule } from './kernel/auth/seal-audit-log.ts'
import type { ServiceContext } from './kernel/http/service.ts'
import type { Job } from './kernel/jobs/job.ts'
import { defineSchedule, type Schedule } from './kernel/jobs/schedule.ts'
import { foldLedgers } from './kernel/ledger/fold-ledgers.ts'

export const jobs: readonly Job<ServiceContext, never>[] = []

export const schedules: readonly Schedule<ServiceContext>[] = [
  sealAuditLogSchedule,
  defineSchedule({
    name: 'fold-ledgers',
    everySeconds: 10,
    run: async (context: ServiceContext) => {
      await foldLedgers(context)
    },
  }),
]
