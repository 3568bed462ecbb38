// Marks notices as read. It changes nothing for the business, so it is not in the audit log.
import { z } from 'zod'
import { defineOperation } from '../access/define-operation.ts'
import { notFound } from '../basics/fault.ts'
import { everyRole, requirePerson } from '../operations/permission.ts'
import { uuid } from '../operations/schemas.ts'
import { updateNoticeRead, updateNoticesRead } from './shown-notice-store.ts'

export const readNotice = defineOperation({
  name: 'read-notice',
  summary: 'Mark one of your notices as read, and find its page',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: everyRole,
  peopleOnly: true,
  isOwnAccount: true,
  async run({ database, clock, call }, actor, { id }): Promise<{ readonly path: string }> {
    const { personId } = requirePerson(actor)
    const path = await database.transaction((tx) =>
      updateNoticeRead(tx, actor, personId, id, clock.now()),
    )
    if (path === undefined) throw notFound('notice')
    call.changedNoBusiness()
    return { path }
  },
})

export const readAllNotices = defineOperation({
  name: 'read-all-notices',
  summary: 'Mark all your notices as read',
  kind: 'write',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  peopleOnly: true,
  isOwnAccount: true,
  async run({ database, clock, call }, actor): Promise<void> {
    const { personId } = requirePerson(actor)
    await database.transaction((tx) => updateNoticesRead(tx, actor, personId, clock.now()))
    call.changedNoBusiness()
  },
})
