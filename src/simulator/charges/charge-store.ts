import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { toText } from '../../kernel/money/decimal.ts'
import { readDecimal } from '../decimals.ts'
import type { Charge } from './charge.ts'

type Amounts = 'amount' | 'chargedAmount' | 'appFee' | 'merchantFee' | 'amountSettled' | 'refunded'
type ChargeRow = Omit<Charge, Amounts> & Record<Amounts, string>

export type NewCharge = Omit<Charge, 'id' | 'settlementId' | 'settledAt'>

// Undefined if the reference has an open or successful charge.
export async function insertCharge(
  tx: Tx,
  tenant: Tenant,
  charge: NewCharge,
): Promise<bigint | undefined> {
  const { businessId, environment } = tenant
  const values = { ...charge, ...amountTexts(charge), effects: tx.json([...charge.effects]) }
  const [row] = await tx<{ id: bigint }[]>`
    insert into simulator.charges ${tx({ businessId, environment, ...values })}
    on conflict (business_id, environment, tx_ref) where status in ('pending', 'successful')
    do nothing
    returning id`
  return row?.id
}

export async function findCharge(
  sql: Sql | Tx,
  tenant: Tenant,
  id: bigint,
): Promise<Charge | undefined> {
  const [row] = await sql<ChargeRow[]>`
    select ${columns(sql)}
    from simulator.charges
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row && toCharge(row)
}

export async function lockCharge(tx: Tx, tenant: Tenant, id: bigint): Promise<Charge | undefined> {
  const [row] = await tx<ChargeRow[]>`
    select ${columns(tx)}
    from simulator.charges
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
    for update`
  return row && toCharge(row)
}

// A reference can have several failed attempts. The one that counts comes first.
export async function listChargesByReference(
  sql: Sql | Tx,
  tenant: Tenant,
  txRef: string,
): Promise<Charge[]> {
  const rows = await sql<ChargeRow[]>`
    select ${columns(sql)}
    from simulator.charges
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and tx_ref = ${txRef}
    order by status = 'successful' desc, status = 'pending' desc, id desc`
  return rows.map(toCharge)
}

export async function findChargeByToken(
  sql: Sql | Tx,
  tenant: Tenant,
  token: string,
): Promise<Charge | undefined> {
  const [row] = await sql<ChargeRow[]>`
    select ${columns(sql)}
    from simulator.charges
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and token = ${token}
      and status = 'successful'
    order by id
    limit 1`
  return row && toCharge(row)
}

export type ChargeFilter = {
  readonly fromDay: string | undefined
  readonly toDay: string | undefined
  readonly status: string | undefined
  readonly txRef: string | undefined
  readonly currency: string | undefined
}

export async function listCharges(
  sql: Sql | Tx,
  tenant: Tenant,
  filter: ChargeFilter,
  paging: { readonly limit: number; readonly offset: number },
): Promise<{ total: number; charges: Charge[] }> {
  const [count] = await sql<{ total: number }[]>`
    select count(*)::integer as total
    from simulator.charges
    where ${matches(sql, tenant, filter)}`
  const rows = await sql<ChargeRow[]>`
    select ${columns(sql)}
    from simulator.charges
    where ${matches(sql, tenant, filter)}
    order by id desc
    limit ${paging.limit}
    offset ${paging.offset}`
  return { total: count?.total ?? 0, charges: rows.map(toCharge) }
}

// Charges of one settlement, oldest first.
export async function listSettledCharges(
  sql: Sql | Tx,
  tenant: Tenant,
  settlementIds: readonly bigint[],
): Promise<Charge[]> {
  const rows = await sql<ChargeRow[]>`
    select ${columns(sql)}
    from simulator.charges
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and settlement_id = any(${settlementIds.map(String)}::bigint[])
    order by id`
  return rows.map(toCharge)
}

// Everything that can change in the life of a charge. The caller has locked the row.
export async function updateCharge(tx: Tx, tenant: Tenant, charge: Charge): Promise<void> {
  const amounts = amountTexts(charge)
  await tx`
    update simulator.charges
    set amount = ${amounts.amount},
      currency = ${charge.currency},
      charged_amount = ${amounts.chargedAmount},
      app_fee = ${amounts.appFee},
      amount_settled = ${amounts.amountSettled},
      refunded = ${amounts.refunded},
      status = ${charge.status},
      awaits = ${charge.awaits},
      tries = ${charge.tries},
      processor_response = ${charge.processorResponse},
      shares = ${charge.shares},
      settlement_id = ${charge.settlementId},
      settled_at = ${charge.settledAt}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${charge.id}`
}

// A payer who starts again, or elsewhere, abandons a charge that waits for a PIN or a code.
export async function updateAbandonedCharges(tx: Tx, tenant: Tenant, txRef: string): Promise<void> {
  await tx`
    update simulator.charges
    set status = 'failed',
      awaits = null,
      processor_response = 'Abandoned by the payer'
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and tx_ref = ${txRef}
      and awaits is not null`
}

function matches(sql: Sql | Tx, tenant: Tenant, filter: ChargeFilter) {
  const { fromDay = null, toDay = null, status = null, txRef = null, currency = null } = filter
  return sql`
    business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and (${fromDay}::date is null or created_at >= ${fromDay}::date)
      and (${toDay}::date is null or created_at < ${toDay}::date + 1)
      and (${status}::text is null or status = ${status})
      and (${txRef}::text is null or tx_ref = ${txRef})
      and (${currency}::text is null or currency = ${currency})`
}

function columns(sql: Sql | Tx) {
  return sql`
    id, checkout_id, tx_ref, flw_ref, amount, currency, charged_amount, app_fee, merchant_fee,
    amount_settled, refunded, status, awaits, tries, processor_response, card_number, token,
    customer_email, customer_name, customer_phone, meta, subaccounts, shares, effects,
    settlement_id, settled_at, created_at`
}

function amountTexts(charge: Pick<Charge, Amounts>): Record<Amounts, string> {
  return {
    amount: toText(charge.amount),
    chargedAmount: toText(charge.chargedAmount),
    appFee: toText(charge.appFee),
    merchantFee: toText(charge.merchantFee),
    amountSettled: toText(charge.amountSettled),
    refunded: toText(charge.refunded),
  }
}

function toCharge(row: ChargeRow): Charge {
  return {
    ...row,
    amount: readDecimal(row.amount),
    chargedAmount: readDecimal(row.chargedAmount),
    appFee: readDecimal(row.appFee),
    merchantFee: readDecimal(row.merchantFee),
    amountSettled: readDecimal(row.amountSettled),
    refunded: readDecimal(row.refunded),
  }
}
