// The merchant's money at the provider. One row per currency, changed by single statements, so that
// concurrent movements are serialised and none is lost.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { type Decimal, negate, toText } from '../../kernel/money/decimal.ts'
import { readDecimal } from '../decimals.ts'

export type Wallet = {
  readonly currency: string
  readonly available: Decimal
  readonly ledger: Decimal
}

export type Movement = {
  readonly currency: string
  readonly available?: Decimal
  readonly ledger?: Decimal
}

export async function insertOrUpdateWallet(
  tx: Tx,
  tenant: Tenant,
  { currency, available, ledger }: Movement,
): Promise<void> {
  const availableChange = available ? toText(available) : '0'
  const ledgerChange = ledger ? toText(ledger) : '0'
  await tx`
    insert into simulator.wallets as wallet
      (business_id, environment, currency, available, ledger)
    values
      (${tenant.businessId}, ${tenant.environment}, ${currency}, ${availableChange},
       ${ledgerChange})
    on conflict (business_id, environment, currency) do update
    set available = wallet.available + excluded.available,
      ledger = wallet.ledger + excluded.ledger`
}

// False if the balance is too low; nothing was taken then.
export async function updateWalletIfCovered(
  tx: Tx,
  tenant: Tenant,
  currency: string,
  amount: Decimal,
): Promise<boolean> {
  const change = toText(negate(amount))
  const rows = await tx`
    update simulator.wallets
    set available = available + ${change}::numeric,
      ledger = ledger + ${change}::numeric
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and currency = ${currency}
      and available + ${change}::numeric >= 0`
  return rows.count === 1
}

export async function listWallets(sql: Sql | Tx, tenant: Tenant): Promise<Wallet[]> {
  const rows = await sql<{ currency: string; available: string; ledger: string }[]>`
    select currency, available, ledger
    from simulator.wallets
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    order by currency`
  return rows.map(({ currency, available, ledger }) => ({
    currency,
    available: readDecimal(available),
    ledger: readDecimal(ledger),
  }))
}
