// Puts a mail into the caller's transaction: it is sent soon after the commit, and never was when
// the transaction rolls back. Nothing is sent here; a mail server answers when it likes.
import type { Context } from '../db/context.ts'
import type { Tx } from '../db/database.ts'
import { enqueueJob } from '../jobs/enqueue-job.ts'
import { shardOf } from '../jobs/job.ts'
import { checkMail, type Mail, type NewMail, parseMailAddress } from './mail.ts'
import { insertAttachments, insertMail, updateMailQueued } from './mail-store.ts'
import { sendMailJob } from './send-mail.ts'

// The id of the mail. Throws the Fault `invalid_request` when it cannot be sent as it is.
export async function queueMail(
  tx: Tx,
  context: Pick<Context, 'clock' | 'ids'>,
  mail: NewMail,
): Promise<string> {
  checkMail(mail)
  const { tenant } = mail
  const key = { shard: shardOf(tenant), id: context.ids.uuid() }
  await insertMail(tx, tenant, {
    ...key,
    recipients: [...new Set(mail.to.map(spelled))],
    replyTo: mail.replyTo === undefined ? null : spelled(mail.replyTo),
    senderName: mail.senderName ?? null,
    subject: mail.subject,
    bodyText: mail.text,
    bodyHtml: mail.html ?? null,
    isSecret: mail.isSecret ?? false,
    createdAt: context.clock.now(),
  })
  await insertAttachments(tx, key, mail.attachments ?? [])
  await enqueueJob(tx, context, sendMailJob, { tenant, payload: key, uniqueKey: key.id })
  return key.id
}

// For one that failed or was kept, when what stood in its way is mended. The attempts begin anew.
// False when it is wiped or sent.
export async function queueMailAgain(
  tx: Tx,
  context: Pick<Context, 'clock' | 'ids'>,
  { shard, id, businessId, environment }: Mail,
): Promise<boolean> {
  if (!(await updateMailQueued(tx, { shard, id }))) return false
  const tenant = businessId && environment ? { businessId, environment } : null
  await enqueueJob(tx, context, sendMailJob, { tenant, payload: { shard, id }, uniqueKey: id })
  return true
}

function spelled(address: string): string {
  return parseMailAddress(address) ?? address
}
