// What a mail said is kept for as long as somebody may ask what was in it, and no longer: it names
// people and what they owe. That it was sent, to whom and with which outcome, stays for a year and
// a month, so that last year's question can still be answered.
import { addSeconds } from '../basics/clock.ts'
import type { Context } from '../db/context.ts'
import { defineSchedule } from '../jobs/schedule.ts'
import { deleteMails, listMailsToWipe, listShardsWithMails } from './mail-retention-store.ts'
import { deleteAttachments, updateMailWiped } from './mail-store.ts'

const day = 24 * 60 * 60
const contentKeptSeconds = 30 * day
const mailKeptSeconds = 400 * day
// Attachments are large, so few at a time.
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
