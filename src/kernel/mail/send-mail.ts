// The job that passes one mail to the mail server. It is sent once, as far as SMTP allows: the
// worker with the job's lease sends, and the outcome is recorded at once. If the outcome is unknown
// (the connection broke after the message, the process died), the same message is sent again with
// the same Message-ID, by which mailboxes recognise it.
import { z } from 'zod'
import type { Context } from '../db/context.ts'
import { CauseMissing, defineJob, type JobRun } from '../jobs/job.ts'
import { composeMail, messageIdOf } from './compose-mail.ts'
import type { Mail, MailKey } from './mail.ts'
import {
  deleteAttachments,
  findMail,
  findMailContent,
  updateMailAttempted,
  updateMailKept,
  updateMailWiped,
  updateMessageId,
} from './mail-store.ts'
import type { Mailer, SendOutcome } from './mailer.ts'

// Without a mailer, mails are kept for the operator to read, as in the demo.
export type MailContext = Context & { readonly mailer?: Mailer | undefined }

const minute = 60
const hour = 60 * minute
// Almost three days in all, so a server that is down over a weekend loses nothing.
const retryDelaysSeconds = [minute, 5 * minute, 15 * minute, hour, 3 * hour, 6 * hour]
const attemptsMax = 16

const payloadSchema = z.object({ shard: z.int(), id: z.uuid() })

export const sendMailJob = defineJob({
  kind: 'send-mail',
  schema: payloadSchema,
  attemptsMax,
  retryDelaysSeconds,
  leaseSeconds: 60,
  endsWithoutCause: true,
  run: sendMail,
})

async function sendMail(context: MailContext, { payload, attempt }: JobRun<MailKey>) {
  const { database, clock, log, mailer } = context
  const mail = await findMail(database.sql, payload)
  if (!mail) throw new CauseMissing('no such mail')
  if (mail.state !== 'queued') return
  if (!mailer || mail.environment === 'test') {
    await updateMailKept(database.sql, mail, clock.now())
    return
  }
  const outcome = await attemptMail(context, mailer, mail)
  // Another worker took over the lease and was faster.
  if (!outcome) return
  const state = nextState(mail, outcome, attempt)
  await recordAttempt(context, mail, outcome, state)
  const code = outcome.problem?.code
  if (state === 'failed') log.warn({ mail: mail.id, code }, 'a mail failed')
  // The job's schedule decides when the next attempt is.
  if (state === 'queued') throw new Error(`the mail server did not take a mail (${code})`)
}

async function attemptMail(
  { database }: MailContext,
  mailer: Mailer,
  mail: Mail,
): Promise<SendOutcome | null> {
  const messageId = await updateMessageId(database.sql, mail, messageIdOf(mail, mailer.sender))
  const content = await findMailContent(database.sql, mail)
  if (!content || !messageId) return null
  const message = await composeMail({ ...mail, messageId }, content, mailer.sender)
  return mailer.send(openRecipients(mail), message)
}

function openRecipients({ recipients, accepted, refused }: Mail): string[] {
  return recipients.filter((one) => !accepted.includes(one) && !refused.includes(one))
}

// Failed if any recipient refused it, even if others have it, so that a person looks at it.
function nextState(mail: Mail, { accepted, refused }: SendOutcome, attempt: number) {
  const answered = new Set([...accepted, ...refused])
  const isOpen = openRecipients(mail).some((one) => !answered.has(one))
  if (isOpen && attempt < attemptsMax) return 'queued'
  return isOpen || mail.refused.length + refused.length > 0 ? 'failed' : 'sent'
}

async function recordAttempt(
  { database, clock }: MailContext,
  mail: Mail,
  { accepted, refused, problem }: SendOutcome,
  state: 'queued' | 'sent' | 'failed',
): Promise<void> {
  const now = clock.now()
  await database.transaction(async (tx) => {
    const isOurs = await updateMailAttempted(tx, mail, {
      accepted: [...mail.accepted, ...accepted],
      refused: [...mail.refused, ...refused],
      problem: problem?.text ?? (state === 'sent' ? null : mail.problem),
      state,
      attemptedAt: now,
    })
    if (!isOurs || state !== 'sent' || !mail.isSecret) return
    await updateMailWiped(tx, mail, now)
    await deleteAttachments(tx, mail)
  })
}
