// Deletes the content of old mails, because it names people and their debts. The fact that a mail
// was sent, its recipients and its outcome stay for a year and a month, for questions about last
// year.
import { addSeconds } from '../basics/clock.ts'
import type { Context } from '../db/context.ts'
import { defineSchedule } from '../jobs/schedule.ts'
import { deleteMails, listMailsToWipe, listShardsWithMails } from './mail-retention-store.ts'
import { deleteAttachments, updateMailWiped } from './mail-store.ts'

const day = 24 * 60 * 60
const contentKeptSeconds = 30 * day
const mailKeptSeconds = 400 * day
// Attachments are large, so only a few at a time.
const wipeBatch = 100
const deleteBatch = 5_000

export const expireMailsSchedule = defineSchedule({
  name: 'expire-mails',
  everySeconds: 60 * 60,
  async run(context: Context, signal) {
    await wipeMails(context, signal)
    await forgetMails(context, signal)
  },
})

async function wipeMails({ database, clock }: Context, signal: AbortSignal): Promise<void> {
  const now = clock.now()
  const before = addSeconds(now, -contentKeptSeconds)
  while (!signal.aborted) {
    const mails = await listMailsToWipe(database.sql, before, wipeBatch)
    for (const mail of mails) {
      await database.transaction(async (tx) => {
        await updateMailWiped(tx, mail, now)
        await deleteAttachments(tx, mail)
      })
    }
    if (mails.length < wipeBatch) return
  }
}

async function forgetMails({ database, clock }: Context, signal: AbortSignal): Promise<void> {
  const before = addSeconds(clock.now(), -mailKeptSeconds)
  for (const shard of await listShardsWithMails(database.sql, before)) {
    while (!signal.aborted) {
      if ((await deleteMails(database.sql, shard, before, deleteBatch)) < deleteBatch) break
    }
  }
}
