// Invariant of mails: every queued mail has a job that will send it. A job that died because of a
// bug leaves its mail waiting; `cli mails retry` queues it again.
import { type Invariant, violationsMax } from '../db/invariant.ts'
import { listMailsWithoutJob } from './mail-retention-store.ts'
import { sendMailJob } from './send-mail.ts'

export const unsentMails: Invariant = {
  id: 'I16.1',
  title: 'every queued mail has a job that will send it',
  violations: (sql) => listMailsWithoutJob(sql, sendMailJob.kind, violationsMax),
}
