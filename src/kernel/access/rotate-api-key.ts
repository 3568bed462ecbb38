import { z } from 'zod'
import { lockApiKey, updateApiKeyExpiry } from '../auth/api-key-store.ts'
import { recordAct } from '../auth/audit-log.ts'
import { type IssuedKey, issueApiKey, type KeyIssuer } from '../auth/issue-api-key.ts'
import { assertDefined } from '../basics/assert.ts'
import { addSeconds } from '../basics/clock.ts'
import { invalidField, notFound } from '../basics/fault.ts'
import { adminRoles } from '../operations/permission.ts'
import { uuid } from '../operations/schemas.ts'
import { defineOperation } from './define-operation.ts'

const overlapSecondsMax = 999_999 * 3600

// The new key works at once, the old one until the overlap ends, so that a running program can
// switch without a gap.
export function rotateApiKeyOperation(issuers: readonly KeyIssuer[]) {
  return defineOperation({
    name: 'rotate-api-key',
    summary: 'Replace an API key; the old one works until the overlap ends',
    kind: 'write',
    input: z.strictObject({
      id: uuid(),
      overlapSeconds: z.int().min(0).max(overlapSecondsMax),
    }),
    scopes: [],
    roles: adminRoles,
    async run(context, actor, { id, overlapSeconds }) {
      return context.database.transaction(async (tx): Promise<IssuedKey> => {
        const old = await lockApiKey(tx, actor.businessId, id)
        if (!old) throw notFound('API key')
        const now = context.clock.now()
        if (old.revokedAt || (old.expiresAt && old.expiresAt <= now)) {
          throw invalidField('id', 'The key is revoked or expired. Create a new one instead.')
        }
        const issuer = assertDefined(
          issuers.find(({ name }) => name === old.service),
          'a key of a service that there is',
        )
        const end = addSeconds(now, overlapSeconds)
        const oldEnd = old.expiresAt && old.expiresAt < end ? old.expiresAt : end
        await updateApiKeyExpiry(tx, actor.businessId, id, oldEnd)
        // In the audit log of the key's environment.
        const actorThere = { ...actor, environment: old.environment }
        const issued = await issueApiKey(tx, context, actorThere, issuer, old, {
          id,
          overlapSeconds,
        })
        await recordAct(tx, context, actorThere, {
          action: 'api_key.set_expiry',
          objectKind: 'api_key',
          objectId: id,
          detail: {
            expires_at: oldEnd.toISOString(),
            expired_at_before: old.expiresAt?.toISOString() ?? null,
          },
        })
        return issued
      })
    },
  })
}
