// A person's own notices: all of them for the page, and the unread ones for the bell of every page.
import { z } from 'zod'
import { defineOperation } from '../access/define-operation.ts'
import { everyRole, requirePerson } from '../operations/permission.ts'
import { uuid } from '../operations/schemas.ts'
import type { ShownNotice } from './notice.ts'
import { findUnreadCount, listShownNotices } from './shown-notice-store.ts'

const pageSize = 50
const newestMax = 5

export type NoticePage = {
  readonly notices: readonly ShownNotice[]
  readonly unreadCount: number
  // For the next page; null on the last one.
  readonly nextBefore: string | null
}

export const listNotices = defineOperation({
  name: 'list-notices',
  summary: 'List what the application notified you about, newest first',
  kind: 'read',
  input: z.strictObject({ isUnread: z.boolean().default(false), before: uuid().optional() }),
  scopes: [],
  roles: everyRole,
  peopleOnly: true,
  async run({ database: { sql } }, actor, { isUnread, before }): Promise<NoticePage> {
    const { personId } = requirePerson(actor)
    const notices = await listShownNotices(sql, actor, { personId, isUnread, before }, pageSize)
    return {
      notices,
      unreadCount: await findUnreadCount(sql, actor, personId),
      nextBefore: notices.length === pageSize ? (notices.at(-1)?.id ?? null) : null,
    }
  },
})

export type UnreadNotices = { readonly count: number; readonly newest: readonly ShownNotice[] }

export const getUnreadNotices = defineOperation({
  name: 'get-unread-notices',
  summary: 'Count your unread notices, with the newest ones',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  peopleOnly: true,
  async run({ database: { sql } }, actor): Promise<UnreadNotices> {
    const { personId } = requirePerson(actor)
    const filter = { personId, isUnread: true, before: undefined }
    const newest = await listShownNotices(sql, actor, filter, newestMax)
    const isAll = newest.length < newestMax
    return { newest, count: isAll ? newest.length : await findUnreadCount(sql, actor, personId) }
  },
})
