import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import type { Allocation } from './allocation.ts'
import { listAllocations } from './allocation-store.ts'
import type { Payment } from './payment.ts'
import { findPayment } from './payment-store.ts'

// Newest first, including removed ones.
export type PaymentWithUses = Payment & { readonly allocations: readonly Allocation[] }

export const getBookedPayment = defineOperation({
  name: 'get-booked-payment',
  summary: 'Show a payment or write-off, and its allocations',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, { id }): Promise<PaymentWithUses> {
    const payment = await findPayment(sql, actor, id)
    if (!payment) throw notFound('payment')
    return { ...payment, allocations: await listAllocations(sql, actor, id) }
  },
})
