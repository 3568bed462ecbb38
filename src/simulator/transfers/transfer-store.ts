import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { toText } from '../../kernel/money/decimal.ts'
import { readDecimal } from '../decimals.ts'
import type { Transfer } from './transfer.ts'

type TransferRow = Omit<Transfer, 'amount' | 'fee'> & { amount: string; fee: string }

// Undefined if the reference was used before, which makes a resent transfer harmless.
export async function insertTransfer(
  tx: Tx,
  tenant: Tenant,
  transfer: Omit<Transfer, 'id'>,
): Promise<bigint | undefined> {
  const { businessId, environment } = tenant
  const values = { ...transfer, amount: toText(transfer.amount), fee: toText(transfer.fee) }
  const [row] = await tx<{ id: bigint }[]>`
    insert into simulator.transfers ${tx({ businessId, environment, ...values })}
    on conflict (business_id, environment, reference) do nothing
    returning id`
  return row?.id
}

export async function findTransfer(
  sql: Sql | Tx,
  tenant: Tenant,
  id: bigint,
): Promise<Transfer | undefined> {
  const [row] = await sql<TransferRow[]>`
    select ${columns(sql)}
    from simulator.transfers
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row && toTransfer(row)
}

export async function lockTransfer(
  tx: Tx,
  tenant: Tenant,
  id: bigint,
): Promise<Transfer | undefined> {
  const [row] = await tx<TransferRow[]>`
    select ${columns(tx)}
    from simulator.transfers
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
    for update`
  return row && toTransfer(row)
}

export type TransferFilter = {
  readonly reference: string | undefined
  readonly status: string | undefined
}

export async function listTransfers(
  sql: Sql | Tx,
  tenant: Tenant,
  filter: TransferFilter,
  paging: { readonly limit: number; readonly offset: number },
): Promise<{ total: number; transfers: Transfer[] }> {
  const { reference = null, status = null } = filter
  const matches = sql`
    business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and (${reference}::text is null or reference = ${reference})
      and (${status}::text is null or status = upper(${status}))`
  const [count] = await sql<{ total: number }[]>`
    select count(*)::integer as total
    from simulator.transfers
    where ${matches}`
  const rows = await sql<TransferRow[]>`
    select ${columns(sql)}
    from simulator.transfers
    where ${matches}
    order by id desc
    limit ${paging.limit}
    offset ${paging.offset}`
  return { total: count?.total ?? 0, transfers: rows.map(toTransfer) }
}

export async function updateTransfer(tx: Tx, tenant: Tenant, transfer: Transfer): Promise<void> {
  await tx`
    update simulator.transfers
    set status = ${transfer.status},
      is_debited = ${transfer.isDebited},
      complete_message = ${transfer.completeMessage}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${transfer.id}`
}

function columns(sql: Sql | Tx) {
  return sql`
    id, reference, account_bank, account_number, full_name, bank_name, amount, fee, currency,
    debit_currency, status, is_debited, requires_approval, complete_message, narration,
    callback_url, meta, created_at`
}

function toTransfer(row: TransferRow): Transfer {
  return { ...row, amount: readDecimal(row.amount), fee: readDecimal(row.fee) }
}
