// What the provider sent is kept for a person who asks what happened, and no longer: it names
// payers, and the truth was fetched anyway.
import { addSeconds } from '../../kernel/basics/clock.ts'
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import type { MerchantContext } from '../context.ts'
import { deleteProviderMessages } from './provider-message-store.ts'

const keptSeconds = 90 * 24 * 60 * 60
// Small enough for a short statement; whatever is left goes with the next one.
const batchSize = 5_000

export const expireProviderMessagesSchedule = defineSchedule({
  name: 'expire-provider-messages',
  everySeconds: 60 * 60,
  async run({ database, clock }: MerchantContext, signal) {
    const before = addSeconds(clock.now(), -keptSeconds)
    while (!signal.aborted) {
      if ((await deleteProviderMessages(database.sql, before, batchSize)) < batchSize) return
    }
  },
})
