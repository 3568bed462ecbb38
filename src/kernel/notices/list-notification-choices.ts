import { z } from 'zod'
import { defineOperation } from '../access/define-operation.ts'
import { everyRole, requirePerson } from '../operations/permission.ts'
import { isOptionalKind, type NoticeKind, noticeKinds } from './notice.ts'
import { listChoices } from './notice-store.ts'
import { isWanted } from './notify.ts'

export type NotificationChoice = {
  readonly kind: NoticeKind
  readonly isOn: boolean
  // False for mails that no one can switch off.
  readonly isOptional: boolean
}

export const listNotificationChoices = defineOperation({
  name: 'list-notification-choices',
  summary: 'List what you are mailed about',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  peopleOnly: true,
  async run({ database: { sql } }, actor): Promise<NotificationChoice[]> {
    const { businessId, personId, role } = requirePerson(actor)
    const choices = await listChoices(sql, businessId)
    return noticeKinds.map((kind) => ({
      kind,
      isOn: isWanted(kind, personId, role, choices),
      isOptional: isOptionalKind(kind),
    }))
  },
})
