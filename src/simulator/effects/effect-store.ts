// The record of what was really done, written in the transaction that does it. Rows never change,
// so a count of two means that money moved twice.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { type Decimal, toText } from '../../kernel/money/decimal.ts'

export type EffectKind =
  | 'charge'
  | 'charge_reversal'
  | 'chargeback'
  | 'chargeback_return'
  | 'refund'
  | 'refund_return'
  | 'transfer'
  | 'transfer_return'
  | 'subaccount'

export type RecordedEffect = {
  readonly kind: EffectKind
  readonly reference: string
  readonly subjectId: bigint
  readonly amount: Decimal | null
  readonly currency: string | null
  readonly createdAt: Date
}

export async function insertEffect(
  tx: Tx,
  tenant: Tenant,
  effect: RecordedEffect,
): Promise<bigint> {
  const { businessId, environment } = tenant
  const amount = effect.amount && toText(effect.amount)
  const [row] = await tx<{ id: bigint }[]>`
    insert into simulator.effects ${tx({ businessId, environment, ...effect, amount })}
    returning id`
  return row?.id ?? 0n
}

export type EffectRow = Omit<RecordedEffect, 'amount'> & { id: bigint; amount: string | null }

export async function listEffects(
  sql: Sql | Tx,
  tenant: Tenant,
  reference: string | undefined,
): Promise<EffectRow[]> {
  return sql<EffectRow[]>`
    select id, kind, reference, subject_id, trim_scale(amount)::text as amount, currency,
      created_at
    from simulator.effects
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and (${reference ?? null}::text is null or reference = ${reference ?? null})
    order by id`
}
