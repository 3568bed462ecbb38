// Up to what a person may approve, in the base currency; null for no limit.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import { findCurrency } from '../../kernel/money/currency.ts'
import { zeroDecimal } from '../../kernel/money/decimal.ts'
import { toMinor } from '../../kernel/money/minor-units.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { validated } from '../../kernel/operations/validate.ts'
import type { BooksContext } from '../context.ts'
import { decimalText, storedDecimal } from '../input/decimal-text.ts'
import { requireRole } from '../operations/permissions.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { deleteApprovalLimit, insertApprovalLimit } from './approval-limit-store.ts'
import { unitPriceMax } from './line-bounds.ts'

export const approvalLimitInput = z.strictObject({
  personId: uuid(),
  // Decimal text, in major units.
  limit: decimalText(zeroDecimal, unitPriceMax, 4).nullable(),
})

export async function setApprovalLimit(
  context: BooksContext,
  actor: Actor,
  input: z.input<typeof approvalLimitInput>,
): Promise<void> {
  requireRole(actor, 'administer')
  const { personId, limit } = validated(approvalLimitInput, input)
  await context.database.transaction(async (tx) => {
    const { baseCurrency } = await findOrganisation(tx, actor)
    if (limit === null) await deleteApprovalLimit(tx, actor, personId)
    else {
      const currency = assertDefined(findCurrency(baseCurrency), 'an unknown base currency')
      const limitMinor = toMinor(storedDecimal(limit), currency)
      if (typeof limitMinor !== 'bigint') {
        throw invalidField('limit', `${baseCurrency} cannot hold this amount.`)
      }
      await insertApprovalLimit(tx, actor, { personId, limitMinor, createdAt: context.clock.now() })
    }
    await recordAct(tx, context, actor, {
      action: 'approval_limit.set',
      objectKind: 'person',
      objectId: personId,
      detail: { limit, currency: baseCurrency },
    })
  })
}
