// What must hold for mails: whatever is queued has somebody who will send it. A job that died of a
// fault of ours leaves its mail waiting for ever; `cli mails retry` gives it another.
import { type Invariant, violationsMax } from '../db/invariant.ts'
import { listMailsWithoutJob } from './mail-retention-store.ts'
import { sendMailJob } from './send-mail.ts'

export const unsentMails: Invariant = {
  id: 'I16.1',
  title: 'every queued mail has a job that will send it',
  violations: (sql) => listMailsWithoutJob(sql, sendMailJob.kind, violationsMax),
}
