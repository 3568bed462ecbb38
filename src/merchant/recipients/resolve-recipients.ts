// Finishes registrations with an unknown outcome, because the answer was lost or the process ended.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import type { MerchantContext } from '../context.ts'
import type { Recipient } from './recipient.ts'
import { listRecipientsToRegister } from './recipient-store.ts'
import { recordUnresolvedRecipient } from './record-unresolved-recipient.ts'
import { registerAgain } from './register-recipient.ts'

const batchSize = 50

export const resolveRecipientsSchedule = defineSchedule({
  name: 'resolve-recipients',
  everySeconds: 15,
  async run(context: MerchantContext, signal) {
    const { database, clock, log } = context
    const due = await listRecipientsToRegister(database.sql, clock.now(), batchSize)
    for (const { tenant, recipient } of due) {
      if (signal.aborted) return
      try {
        await look(context, tenant, recipient)
      } catch (error) {
        // Its claim expires by itself. The other recipients must not wait for this one.
        log.error({ recipientId: recipient.id, err: error }, 'could not look up a recipient')
      }
    }
  },
})

async function look(context: MerchantContext, tenant: Tenant, recipient: Recipient): Promise<void> {
  const actor = { kind: 'system', name: 'resolve recipients', ...tenant } as const
  try {
    await registerAgain(context, actor, recipient.id)
  } finally {
    await recordUnresolvedRecipient(context, actor, recipient)
  }
}
