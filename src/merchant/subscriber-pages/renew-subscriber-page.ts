// For an address that got into the wrong hands: the page moves to another one, and the old one no
// longer works.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { randomUuid } from '../../kernel/basics/id.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import type { SubscriberAddress } from './get-subscriber-page.ts'
import { subscriberUrl } from './subscriber-page.ts'
import { updateSubscriberPage } from './subscriber-page-store.ts'

export const renewSubscriberPage = defineOperation({
  name: 'renew-subscriber-page',
  summary: 'Replace the address on which a subscriber changes the card and cancels',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id }): Promise<SubscriberAddress> {
    const publicId = randomUuid(context.ids)
    const createdAt = context.clock.now()
    await context.database.transaction(async (tx) => {
      const page = { subscriptionId: id, publicId, createdAt }
      if (!(await updateSubscriberPage(tx, actor, page))) throw notFound('subscription')
      await recordAct(tx, context, actor, {
        action: 'subscription.renew_page',
        objectKind: 'subscription',
        objectId: id,
      })
    })
    return { url: subscriberUrl(context.publicUrl, actor, publicId), createdAt }
  },
})
