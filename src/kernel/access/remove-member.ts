// Removes a person from the business. Their sessions end in the same transaction. Their keys still
// work, because systems depend on them; they are listed, so that a person can decide.
import { z } from 'zod'
import { inLive } from '../auth/actor.ts'
import { recordAct } from '../auth/audit-log.ts'
import { deleteInvitationsAround } from '../auth/invitation-store.ts'
import { deleteMembership, listMembershipsOfPerson, type Member } from '../auth/membership-store.ts'
import { deletePasskeysOfPerson } from '../auth/passkey-store.ts'
import { deleteLinksOfPerson } from '../auth/person-link-store.ts'
import { deleteSessionsOfPerson } from '../auth/session-store.ts'
import { ownerRoles } from '../operations/permission.ts'
import { uuid } from '../operations/schemas.ts'
import { lockMember, requireOtherOwner } from './confirmation.ts'
import { defineOperation } from './define-operation.ts'
import { type ApiKeyView, readApiKeys } from './list-api-keys.ts'
import { mailNews } from './people-news.ts'

export type RemovedMember = Member & {
  readonly endedSessions: number
  // Those that still work.
  readonly keysToReview: readonly ApiKeyView[]
}

export const removeMember = defineOperation({
  name: 'remove-member',
  summary: 'Remove a person from the business; sessions end, and keys are listed for review',
  kind: 'write',
  input: z.strictObject({ personId: uuid() }),
  scopes: [],
  roles: ownerRoles,
  async run(context, caller, { personId }) {
    const actor = inLive(caller)
    const { businessId } = actor
    return context.database.transaction(async (tx): Promise<RemovedMember> => {
      const member = await lockMember(tx, businessId, personId)
      const { email, role } = member
      if (role === 'owner') await requireOtherOwner(tx, businessId, personId)
      const keys = await readApiKeys(tx, businessId, context.clock.now())
      const keysToReview = keys.filter((key) => key.createdBy === personId && isInUse(key))
      // While the person is still one of the owners who get the mail.
      await mailNews(tx, context, actor, member, {
        subject: `${email} was removed`,
        sentence: (person, business) =>
          `${person} was ${role} of ${business} and no longer belongs to it.${reviewText(keysToReview)}`,
      })
      await deleteMembership(tx, businessId, personId)
      await deleteInvitationsAround(tx, businessId, member)
      // Links and passkeys open the account, which may lead to other businesses too.
      if ((await listMembershipsOfPerson(tx, personId)).length === 0) {
        await deleteLinksOfPerson(tx, personId)
        await deletePasskeysOfPerson(tx, personId)
      }
      const endedSessions = await deleteSessionsOfPerson(tx, personId)
      await recordAct(tx, context, actor, {
        action: 'membership.delete',
        objectKind: 'person',
        objectId: personId,
        detail: { role, endedSessions, keysToReview: keysToReview.map(({ id }) => id) },
      })
      return { ...member, endedSessions, keysToReview }
    })
  },
})

function isInUse({ state }: ApiKeyView): boolean {
  return state === 'active'
}

function reviewText(keys: readonly ApiKeyView[]): string {
  if (keys.length === 0) return ''
  const hints = keys.map(({ hint, name }) => `  ${hint} ${name}`)
  return [
    '',
    '',
    'These API keys of theirs still work. Revoke those that no one needs:',
    ...hints,
  ].join('\n')
}
