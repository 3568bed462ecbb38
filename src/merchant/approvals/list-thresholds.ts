import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import type { Threshold } from './approval.ts'
import { listDefaultThresholds, listOwnThresholds } from './threshold-store.ts'

export type Thresholds = {
  // Those of the business.
  readonly own: readonly Threshold[]
  // Those of the operator, for businesses without their own.
  readonly defaults: readonly DefaultThreshold[]
}

// `isReplaced` if the business has its own for the same operation and currency.
export type DefaultThreshold = Threshold & { readonly isReplaced: boolean }

export const listThresholds = defineOperation({
  name: 'list-thresholds',
  summary: 'List approval thresholds',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, { businessId }): Promise<Thresholds> {
    const own = await listOwnThresholds(sql, businessId)
    const defaults = await listDefaultThresholds(sql)
    return {
      own,
      defaults: defaults.map((one) => ({ ...one, isReplaced: isReplaced(one, own) })),
    }
  },
})

function isReplaced({ operation, currency }: Threshold, own: readonly Threshold[]): boolean {
  return own.some((one) => one.operation === operation && one.currency === currency)
}
