import { z } from 'zod'
import type { ApiKey } from '../auth/api-key.ts'
import { lockApiKey, updateApiKeyRevoked } from '../auth/api-key-store.ts'
import { recordAct } from '../auth/audit-log.ts'
import { notFound } from '../basics/fault.ts'
import { adminRoles } from '../operations/permission.ts'
import { uuid } from '../operations/schemas.ts'
import { defineOperation } from './define-operation.ts'

export const revokeApiKey = defineOperation({
  name: 'revoke-api-key',
  summary: 'Revoke an API key; takes effect within a second',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: adminRoles,
  async run(context, actor, { id }) {
    return context.database.transaction(async (tx): Promise<ApiKey> => {
      const key = await lockApiKey(tx, actor.businessId, id)
      if (!key) throw notFound('API key')
      if (key.revokedAt) {
        context.call.nothingChanged()
        return key
      }
      const revokedAt = context.clock.now()
      await updateApiKeyRevoked(tx, actor.businessId, id, revokedAt)
      // In the audit log of the key's environment.
      await recordAct(
        tx,
        context,
        { ...actor, environment: key.environment },
        { action: 'api_key.revoke', objectKind: 'api_key', objectId: id },
      )
      return { ...key, revokedAt }
    })
  },
})
