import { z } from 'zod'
import { noRoles } from '../../kernel/operations/permission.ts'
import { currencyCode, oneOf } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { heldOperations, type Threshold, thresholdAmount } from './approval.ts'
import { insertOrUpdateDefaultThreshold } from './threshold-store.ts'

export const setDefaultThreshold = defineOperation({
  name: 'set-default-threshold',
  summary: 'Set the default approval threshold of businesses without their own',
  kind: 'write',
  input: z.strictObject({
    operation: oneOf(heldOperations),
    currency: currencyCode(),
    amountMinor: thresholdAmount(),
  }),
  scopes: [],
  roles: noRoles,
  async run({ database, clock, call }, _actor, threshold): Promise<Threshold> {
    call.changedNoBusiness()
    await insertOrUpdateDefaultThreshold(database.sql, threshold, clock.now())
    return threshold
  },
})
