import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole, writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { subscriberUrl } from './subscriber-page.ts'
import { findSubscriberPage } from './subscriber-page-store.ts'

export type SubscriberAddress = { readonly url: string; readonly createdAt: Date }

// Null for a viewer, who may not cancel a subscription: the page does.
export const getSubscriberPage = defineOperation({
  name: 'get-subscriber-page',
  summary: 'Show the address on which a subscriber changes the card and cancels',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: everyRole,
  async run({ database, publicUrl }, actor, { id }): Promise<SubscriberAddress | null> {
    const page = await findSubscriberPage(database.sql, actor, id)
    if (!page) throw notFound('subscription')
    if (actor.kind === 'person' && !writerRoles.includes(actor.role)) return null
    return { url: subscriberUrl(publicUrl, actor, page.publicId), createdAt: page.createdAt }
  },
})
