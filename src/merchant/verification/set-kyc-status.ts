// The operator decides about a business, if no verifier is configured or against its decision. It
// stays until someone decides otherwise; a later rejection by a verifier does not change it.
import { z } from 'zod'
import { inLive } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { notify } from '../../kernel/notices/notify.ts'
import { noRoles } from '../../kernel/operations/permission.ts'
import { line, oneOf } from '../../kernel/operations/schemas.ts'
import type { KycStatus } from '../business/business.ts'
import { defineOperation } from '../context.ts'
import { lockKycStatus, updateKycStatus } from './session-store.ts'
import { verificationNotice } from './verification-notice.ts'

export const decidedKycStatuses = ['verified', 'rejected', 'unverified'] as const

export type DecidedStatus = { readonly before: KycStatus; readonly status: KycStatus }

export const setKycStatus = defineOperation({
  name: 'set-kyc-status',
  summary: 'Set the verification status of a business by hand',
  kind: 'write',
  input: z.strictObject({
    status: oneOf(decidedKycStatuses),
    // The evidence, for the audit log.
    reason: line(500),
  }),
  scopes: [],
  roles: noRoles,
  run: (context, actor, { status, reason }): Promise<DecidedStatus> =>
    context.database.transaction(async (tx) => {
      const { businessId } = actor
      const before = await lockKycStatus(tx, businessId)
      if (before === undefined) throw notFound('business')
      await updateKycStatus(tx, businessId, status, context.clock.now())
      await recordAct(tx, context, actor, {
        action: 'business.set_kyc_status',
        objectKind: 'business',
        objectId: businessId,
        detail: { from: before, to: status, reason },
      })
      if (status !== 'unverified' && status !== before) {
        const fact = context.ids.uuid()
        await notify(tx, context, inLive(actor), verificationNotice(fact, status, reason))
      }
      return { before, status }
    }),
})
