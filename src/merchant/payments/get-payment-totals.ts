// The sums of the payments that a filter finds. Only of so many payments that a page can wait for
// them; without sums a person narrows the filter.
import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { type PaymentTotal, paymentFilterInput } from './payment-filter.ts'
import { listPaymentTotals } from './payment-store.ts'
import { readPaymentSearch } from './read-payment-search.ts'

export const summedMax = 10_000

export const getPaymentTotals = defineOperation({
  name: 'get-payment-totals',
  summary: 'Sum up payments per currency',
  kind: 'read',
  input: z.strictObject(paymentFilterInput),
  scopes: [],
  roles: everyRole,
  // Undefined if there are more than `summedMax` payments.
  async run({ database: { sql } }, actor, wanted): Promise<readonly PaymentTotal[] | undefined> {
    const found = await readPaymentSearch(sql, actor, wanted)
    const totals = await listPaymentTotals(sql, actor, { ...wanted, ...found }, summedMax + 1)
    const count = totals.reduce((sum, total) => sum + total.count, 0)
    return count > summedMax ? undefined : totals
  },
})
