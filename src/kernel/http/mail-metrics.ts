// The metrics of mails. Set alerts on the age of the oldest queued mail (a problem of the mail
// server) and on failed mails (a person must look at them).
import { Gauge, type Registry } from 'prom-client'
import { addSeconds } from '../basics/clock.ts'
import { mailStates } from '../mail/mail.ts'
import { findMailCounts } from '../mail/mail-retention-store.ts'
import type { ServiceContext } from '../operations/service-context.ts'
import { withinTime } from './health.ts'

export type MailMetrics = {
  readonly mails: Gauge<'state'>
  readonly oldestQueuedSeconds: Gauge
}

// An alert about failed mails ends by itself a day after the last one.
const countedSeconds = 24 * 60 * 60

export function createMailMetrics(registers: Registry[]): MailMetrics {
  return {
    mails: new Gauge({
      name: 'tillbook_mails',
      help: 'Mails of the last day and all queued mails, by state.',
      labelNames: ['state'],
      registers,
    }),
    oldestQueuedSeconds: new Gauge({
      name: 'tillbook_oldest_queued_mail_seconds',
      help: 'Age of the oldest queued mail.',
      registers,
    }),
  }
}

export async function refreshMailMetrics(
  { database, clock, log }: ServiceContext,
  { mails, oldestQueuedSeconds }: MailMetrics,
): Promise<void> {
  const now = clock.now()
  const answer = await withinTime(
    findMailCounts(database.sql, addSeconds(now, -countedSeconds)),
    log,
  )
  if (!answer) {
    mails.reset()
    oldestQueuedSeconds.remove()
    return
  }
  const { byState, oldestQueuedAt } = answer.value
  for (const state of mailStates) {
    mails.set({ state }, byState.find((one) => one.state === state)?.count ?? 0)
  }
  const waitedMs = oldestQueuedAt ? now.getTime() - oldestQueuedAt.getTime() : 0
  oldestQueuedSeconds.set(waitedMs / 1000)
}
