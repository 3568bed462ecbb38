import type { Environment, Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { toText } from '../../kernel/money/decimal.ts'
import { readDecimal } from '../decimals.ts'
import type { Checkout, CheckoutStatus } from './checkout.ts'

type CheckoutRow = Omit<Checkout, 'amount' | 'tenant'> & {
  amount: string
  businessId: string
  environment: Environment
}

export async function insertCheckout(
  sql: Sql | Tx,
  tenant: Tenant,
  checkout: Omit<Checkout, 'tenant' | 'attempts'>,
): Promise<void> {
  const { businessId, environment } = tenant
  const amount = toText(checkout.amount)
  await sql`
    insert into simulator.checkouts ${sql({ businessId, environment, ...checkout, amount })}`
}

// The payer has only the link, so the world is found by the checkout.
export async function findCheckout(sql: Sql | Tx, id: string): Promise<Checkout | undefined> {
  const [row] = await sql<CheckoutRow[]>`
    select ${columns(sql)}
    from simulator.checkouts as checkout
    where id = ${id}`
  return row && toCheckout(row)
}

// The lock serialises two clicks on one page.
export async function lockCheckout(
  tx: Tx,
  tenant: Tenant,
  id: string,
): Promise<Checkout | undefined> {
  await tx`
    select 1
    from simulator.checkouts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
    for update`
  return findCheckout(tx, id)
}

export async function findNewestCheckout(
  sql: Sql | Tx,
  tenant: Tenant,
  txRef: string,
): Promise<Checkout | undefined> {
  const [row] = await sql<CheckoutRow[]>`
    select ${columns(sql)}
    from simulator.checkouts as checkout
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and tx_ref = ${txRef}
    order by status = 'open' desc, created_at desc, id desc
    limit 1`
  return row && toCheckout(row)
}

export async function updateCheckoutStatus(
  tx: Tx,
  tenant: Tenant,
  id: string,
  status: CheckoutStatus,
): Promise<void> {
  await tx`
    update simulator.checkouts
    set status = ${status}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

function columns(sql: Sql | Tx) {
  return sql`
    business_id, environment, id, tx_ref, amount, currency, redirect_url, title, customer_email,
    customer_name, customer_phone, meta, subaccounts, retries_max, status, expires_at, created_at,
    (select count(*)::integer
     from simulator.charges as charge
     where charge.business_id = checkout.business_id
       and charge.environment = checkout.environment
       and charge.tx_ref = checkout.tx_ref
       and charge.checkout_id = checkout.id) as attempts`
}

function toCheckout({ businessId, environment, amount, ...row }: CheckoutRow): Checkout {
  return { ...row, tenant: { businessId, environment }, amount: readDecimal(amount) }
}
