// Queues a mail in the caller's transaction: it is sent soon after the commit, and not at all if
// the transaction rolls back. Nothing is sent here, because mail servers can be slow.
import type { Context } from '../db/context.ts'
import type { Tx } from '../db/database.ts'
import { enqueueJob } from '../jobs/enqueue-job.ts'
import { shardOf } from '../jobs/job.ts'
import { checkMail, type Mail, type NewMail, parseMailAddress } from './mail.ts'
import { insertAttachments, insertMail, updateMailKept, updateMailQueued } from './mail-store.ts'
import { sendMailJob } from './send-mail.ts'

// Returns the id of the mail. Throws the Fault `invalid_request` if it can't be sent.
export async function queueMail(
  tx: Tx,
  context: Pick<Context, 'clock' | 'ids' | 'sample'>,
  mail: NewMail,
): Promise<string> {
  checkMail(mail)
  const { tenant } = mail
  const key = { shard: shardOf(tenant), id: mail.id ?? context.ids.uuid() }
  const isNew = await insertMail(tx, tenant, {
    ...key,
    kind: mail.kind ?? 'other',
    recipients: [...new Set(mail.to.map(spelled))],
    replyTo: mail.replyTo === undefined ? null : spelled(mail.replyTo),
    senderName: mail.senderName ?? null,
    subject: mail.subject,
    bodyText: mail.text,
    bodyHtml: mail.html ?? null,
    isSecret: mail.isSecret ?? false,
    createdAt: context.clock.now(),
  })
  if (!isNew) return key.id
  await insertAttachments(tx, key, mail.attachments ?? [])
  if (context.sample) {
    await updateMailKept(tx, key, context.clock.now())
    return key.id
  }
  await enqueueJob(tx, context, sendMailJob, { tenant, payload: key, uniqueKey: key.id })
  return key.id
}

// Queues a failed or kept mail again, once the cause is fixed. Attempts start again. False if its
// content was deleted or it was sent.
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
