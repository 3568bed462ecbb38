// The amount up to which a person can approve, in the base currency; null for no limit.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { zeroDecimal } from '../../kernel/money/decimal.ts'
import { toMinor } from '../../kernel/money/minor-units.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { decimalText, storedDecimal } from '../input/decimal-text.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { deleteApprovalLimit, insertApprovalLimit } from './approval-limit-store.ts'
import { unitPriceMax } from './line-bounds.ts'

const approvalLimitInput = z.strictObject({
  personId: uuid(),
  // Decimal text, in major units.
  limit: decimalText(zeroDecimal, unitPriceMax, 4).nullable(),
})

export const setApprovalLimit = defineOperation({
  name: 'set-approval-limit',
  summary: 'Set the approval limit of a person',
  kind: 'write',
  input: approvalLimitInput,
  scopes: [],
  roles: adminRoles,
  async run(context, actor, { personId, limit }): Promise<ApprovalLimit> {
    return context.database.transaction(async (tx) => {
      const { baseCurrency } = await findOrganisation(tx, actor)
      const limitMinor = limit === null ? null : minorLimit(limit, baseCurrency)
      if (limitMinor === null) await deleteApprovalLimit(tx, actor, personId)
      else {
        const createdAt = context.clock.now()
        await insertApprovalLimit(tx, actor, { personId, limitMinor, createdAt })
      }
      await recordAct(tx, context, actor, {
        action: 'approval_limit.set',
        objectKind: 'person',
        objectId: personId,
        detail: { limit, currency: baseCurrency },
      })
      return { personId, limitMinor, currency: baseCurrency }
    })
  },
})

export type ApprovalLimit = {
  readonly personId: string
  // Null for no limit.
  readonly limitMinor: bigint | null
  readonly currency: string
}

function minorLimit(limit: string, baseCurrency: string): bigint {
  const currency = currencyOf(baseCurrency)
  const limitMinor = toMinor(storedDecimal(limit), currency)
  if (typeof limitMinor === 'bigint') return limitMinor
  throw invalidField('limit', `Not a valid amount in ${baseCurrency}.`)
}
