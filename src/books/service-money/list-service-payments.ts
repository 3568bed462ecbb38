// Payments of the merchant service with what they settled, or the invoice that they may have been
// for.
import { z } from 'zod'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { listLimit } from '../input/list-limit.ts'
import {
  type FoundServicePayment,
  type OpenInvoice,
  type ServicePayment,
  servicePaymentStates,
} from './service-payment.ts'
import { listFoundPayments, listOpenInvoices, listPaidInvoices } from './service-payment-store.ts'

export type ServicePaymentPage = {
  readonly payments: readonly ServicePayment[]
  // Where to read on; null on the last page.
  readonly nextAfter: string | null
}

export const listServicePayments = defineOperation({
  name: 'list-service-payments',
  summary: 'List payments of the merchant service, newest first, with the invoices they settled',
  kind: 'read',
  input: z.strictObject({
    state: z.enum(servicePaymentStates).optional(),
    paymentId: uuid().optional(),
    after: uuid().optional(),
    limit: listLimit(),
  }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, wanted): Promise<ServicePaymentPage> {
    const { limit } = wanted
    const found = await listFoundPayments(sql, actor, { ...wanted, limit: limit + 1 })
    const page = found.slice(0, limit)
    return {
      payments: await withInvoices(sql, actor, page),
      nextAfter: found.length > limit ? (page.at(-1)?.movementId ?? null) : null,
    }
  },
})

async function withInvoices(
  sql: Sql,
  tenant: Tenant,
  page: readonly FoundServicePayment[],
): Promise<ServicePayment[]> {
  const bookedIds = page.flatMap(({ bookedPaymentId }) => bookedPaymentId ?? [])
  const [paid, open] = await Promise.all([
    listPaidInvoices(sql, tenant, bookedIds),
    listOpenOverSame(sql, tenant, page),
  ])
  const rivals = await listRivals(sql, tenant, open)
  return page.map((payment) => ({
    ...payment,
    invoices: paid.filter(({ bookedPaymentId }) => bookedPaymentId === payment.bookedPaymentId),
    suggestion: payment.state === 'unassigned' ? onlyOne(open, rivals, payment) : undefined,
  }))
}

const suggestionsMax = 500
const rivalsMax = 1_000

// The payments that may be for these invoices; they are not all on the same page.
async function listRivals(
  sql: Sql,
  tenant: Tenant,
  open: readonly OpenInvoice[],
): Promise<FoundServicePayment[]> {
  if (open.length === 0) return []
  const amountsMinor = open.map(({ openMinor }) => openMinor)
  return listFoundPayments(sql, tenant, { state: 'unassigned', amountsMinor, limit: rivalsMax })
}

async function listOpenOverSame(
  sql: Sql,
  tenant: Tenant,
  page: readonly FoundServicePayment[],
): Promise<OpenInvoice[]> {
  const unassigned = page.filter(({ state }) => state === 'unassigned')
  if (unassigned.length === 0) return []
  return listOpenInvoices(sql, tenant, {
    currencies: unassigned.map(({ currency }) => currency),
    amountsMinor: unassigned.map(({ grossMinor }) => grossMinor),
    limit: suggestionsMax,
  })
}

// Two invoices over the same amount are for a person to tell apart, and so are two payments.
function onlyOne(
  open: readonly OpenInvoice[],
  rivals: readonly FoundServicePayment[],
  { currency, grossMinor }: FoundServicePayment,
): OpenInvoice | undefined {
  const fitting = open.filter((one) => one.currency === currency && one.openMinor === grossMinor)
  const competing = rivals.filter(
    (one) => one.currency === currency && one.grossMinor === grossMinor,
  )
  return fitting.length === 1 && competing.length === 1 ? fitting[0] : undefined
}
