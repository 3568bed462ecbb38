import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { searchText, uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { listLimit } from '../input/list-limit.ts'
import type { FoundServicePayment, OpenInvoice } from './service-payment.ts'
import { listFoundPayments, listOpenInvoices } from './service-payment-store.ts'

export const listInvoicesToAssign = defineOperation({
  name: 'list-invoices-to-assign',
  summary: 'List open invoices that a payment of the merchant service may have been for',
  kind: 'read',
  input: z.strictObject({ paymentId: uuid(), search: searchText.optional(), limit: listLimit() }),
  scopes: [],
  roles: everyRole,
  async run(
    { database: { sql } },
    actor,
    { paymentId, search, limit },
  ): Promise<{ readonly payment: FoundServicePayment; readonly invoices: OpenInvoice[] }> {
    const [payment] = await listFoundPayments(sql, actor, { paymentId, limit: 1 })
    if (!payment) throw notFound('payment')
    const invoices = await listOpenInvoices(sql, actor, {
      currencies: [payment.currency],
      nearestMinor: payment.grossMinor,
      ...{ search, limit },
    })
    return { payment, invoices }
  },
})
