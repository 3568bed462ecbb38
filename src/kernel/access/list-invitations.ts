import { z } from 'zod'
import { listInvitations as listOpen, type OpenInvitation } from '../auth/invitation-store.ts'
import { everyRole } from '../operations/permission.ts'
import { defineOperation } from './define-operation.ts'

export type Invitation = OpenInvitation & { readonly isExpired: boolean }

export const listInvitations = defineOperation({
  name: 'list-invitations',
  summary: 'List the invitations that were not accepted yet',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  async run({ database, clock }, actor): Promise<Invitation[]> {
    const now = clock.now()
    const open = await listOpen(database.sql, actor.businessId)
    return open.map((one) => ({ ...one, isExpired: one.expiresAt <= now }))
  },
})
