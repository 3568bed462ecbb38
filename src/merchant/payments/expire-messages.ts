// The provider's messages are kept for a limited time for people who ask what happened. They name
// payers, and the facts themselves were looked up anyway.
import { addSeconds } from '../../kernel/basics/clock.ts'
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import type { MerchantContext } from '../context.ts'
import { deleteProviderMessages } from './provider-message-store.ts'

const keptSeconds = 90 * 24 * 60 * 60
// Small enough for a short statement. The rest follows with the next one.
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
