import { z } from 'zod'
import { defineOperation } from '../access/define-operation.ts'
import { everyRole, requirePerson } from '../operations/permission.ts'
import { isOptionalKind, type NoticeKind, noticeKinds } from './notice.ts'
import { listChoices } from './notice-store.ts'
import { isWanted } from './notify.ts'

export type NotificationChoice = {
  readonly kind: NoticeKind
  // By mail.
  readonly isOn: boolean
  // In the application.
  readonly isShown: boolean
  // False for notices that no one can switch off.
  readonly isOptional: boolean
}

export const listNotificationChoices = defineOperation({
  name: 'list-notification-choices',
  summary: 'List what you are notified about, by mail and in the application',
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
      isOn: isWanted(kind, personId, role, choices, 'mail'),
      isShown: isWanted(kind, personId, role, choices, 'app'),
      isOptional: isOptionalKind(kind),
    }))
  },
})
