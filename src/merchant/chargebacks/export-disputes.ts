// All disputes that a filter finds, as a file.
import { z } from 'zod'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { csvLine } from '../../kernel/http/csv.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { majorText } from '../../kernel/money/minor-units.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { phaseOf } from './chargeback.ts'
import { type Dispute, disputeFilterInput } from './dispute.ts'
import { listDisputes, type WantedDisputes } from './dispute-store.ts'

const pageRows = 500

export const exportDisputes = defineOperation({
  name: 'export-disputes',
  summary: 'Write disputed payments as CSV, newest first',
  kind: 'read',
  input: z.strictObject(disputeFilterInput),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, clock }, actor, wanted): Promise<AsyncIterable<string>> {
    return csvPages(sql, actor, { ...wanted, now: clock.now() })
  },
})

async function* csvPages(sql: Sql, tenant: Tenant, wanted: WantedDisputes): AsyncGenerator<string> {
  yield csvLine(columns.map(([name]) => name))
  let startingAfter: string | undefined
  do {
    const page = await listDisputes(sql, tenant, { ...wanted, limit: pageRows, startingAfter })
    yield page
      .map((dispute) => csvLine(columns.map(([, cell]) => cell(dispute, wanted.now) ?? '')))
      .join('')
    startingAfter = page.length === pageRows ? page.at(-1)?.id : undefined
  } while (startingAfter)
}

type Cell = (dispute: Dispute, now: Date) => string | null | undefined

const major = (minor: bigint, currency: string) => majorText(minor, currencyOf(currency).decimals)

const columns: readonly (readonly [name: string, cell: Cell])[] = [
  ['id', ({ id }) => id],
  ['opened_at', ({ createdAt }) => createdAt.toISOString()],
  ['state', (dispute, now) => phaseOf(dispute, now)],
  ['due_at', ({ dueAt }) => dueAt?.toISOString()],
  ['currency', ({ currency }) => currency],
  ['amount', ({ amountMinor, currency }) => major(amountMinor, currency)],
  ['borne_by_business', ({ merchantMinor, currency }) => major(merchantMinor, currency)],
  ['payer_email', ({ payerEmail }) => payerEmail],
  ['payer_name', ({ payerName }) => payerName],
  ['reason', ({ reason }) => reason],
  ['payment_id', ({ paymentId }) => paymentId],
  ['provider_dispute_id', ({ providerChargebackId }) => providerChargebackId],
  ['decided_at', ({ status, updatedAt }) => (status === 'open' ? null : updatedAt.toISOString())],
]
