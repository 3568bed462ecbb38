// Settlements. Two oddities of the provider: `is_local` is true in the list and 1 in the single
// view, and the single view has `meta` as JSON inside a string.
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { subtract, zeroDecimal } from '../../kernel/money/decimal.ts'
import { parseJson, writeJson } from '../../kernel/money/exact-number.ts'
import type { Charge } from '../charges/charge.ts'
import { listSettledCharges } from '../charges/charge-store.ts'
import { readDecimal, sumOf } from '../decimals.ts'
import { listEffects } from '../effects/effect-store.ts'
import type { Endpoint } from '../endpoint.ts'
import { success, successPage } from '../envelope.ts'
import { type Fields, idOf, isFields, optionalDay, optionalText } from '../fields.ts'
import { pageOf } from '../paging.ts'
import { findSettlement, listSettlements, type Settlement } from './settlement-store.ts'

export const listAllSettlements: Endpoint = {
  method: 'GET',
  path: '/settlements',
  async handle({ database }, { tenant, accountId }, { query }) {
    const paging = pageOf(query)
    const days = { from: optionalDay(query, 'from'), to: optionalDay(query, 'to') }
    const { total, settlements } = await listSettlements(database.sql, tenant, days, paging)
    const ids = settlements.map(({ id }) => id)
    const charges = await listSettledCharges(database.sql, tenant, ids)
    const data = await Promise.all(
      settlements.map(async (settlement) => {
        const settled = charges.filter(({ settlementId }) => settlementId === settlement.id)
        const sums = await sumsOf(database.sql, tenant, settled)
        const meta = settled.map(({ id }) => ({ id }))
        return { ...present(settlement, settled, sums, accountId), is_local: true, meta }
      }),
    )
    return successPage('Settlements fetched', { total, ...paging }, data)
  },
}

export const getSettlement: Endpoint = {
  method: 'GET',
  path: '/settlements/:id',
  async handle({ database }, { tenant, accountId }, { params, query }) {
    const settlement = await findSettlement(database.sql, tenant, idOf(params.id) ?? 0n)
    if (!settlement) throw new Fault('not_found', 'Settlement not found')
    const settled = await listSettledCharges(database.sql, tenant, [settlement.id])
    const sums = await sumsOf(database.sql, tenant, settled)
    return success('Settlement fetched', {
      ...present(settlement, settled, sums, accountId),
      is_local: 1,
      meta: writeJson(settled.map(({ id }) => ({ id }))),
      transactions: settled.filter(isWithin(query)).map(presentSettledCharge),
    })
  },
}

type Sums = { readonly chargeback: unknown; readonly refund: unknown; readonly net: unknown }

async function sumsOf(sql: Sql, tenant: Tenant, settled: readonly Charge[]): Promise<Sums> {
  const refund = sumOf(settled.map(({ refunded }) => refunded))
  const takenBack = await Promise.all(
    settled.map(async ({ txRef }) => {
      const effects = await listEffects(sql, tenant, txRef)
      return effects
        .filter(({ kind }) => kind === 'chargeback')
        .map(({ amount }) => (amount === null ? zeroDecimal : readDecimal(amount)))
    }),
  )
  const chargeback = sumOf(takenBack.flat())
  const gross = sumOf(settled.map(({ amountSettled }) => amountSettled))
  return { chargeback, refund, net: subtract(subtract(gross, refund), chargeback) }
}

function present(
  settlement: Settlement,
  settled: readonly Charge[],
  sums: Sums,
  accountId: bigint,
) {
  const date = settlement.createdAt.toISOString()
  return {
    id: settlement.id,
    account_id: accountId,
    merchant_name: `Simulated merchant ${accountId}`,
    created_at: date,
    due_date: `${settlement.dueDate}T00:00:00.000Z`,
    processed_date: date,
    transaction_date: date,
    status: 'completed',
    currency: settlement.currency,
    gross_amount: sumOf(settled.map(({ amount }) => amount)),
    app_fee: sumOf(settled.map(({ appFee }) => appFee)),
    merchant_fee: sumOf(settled.map(({ merchantFee }) => merchantFee)),
    chargeback: sums.chargeback,
    refund: sums.refund,
    stampduty_charge: zeroDecimal,
    net_amount: sums.net,
    transaction_count: settled.length,
    disburse_ref: settlement.disburseRef,
    disburse_message: 'Settled',
    channel: 'card',
    destination: 'wallet',
  }
}

function presentSettledCharge(charge: Charge) {
  const shares = parseJson(charge.shares) as readonly Fields[]
  const amounts = shares.filter(isFields).map((share) => readDecimal(amountText(share)))
  return {
    customer_email: charge.customerEmail,
    flw_ref: charge.flwRef,
    tx_ref: charge.txRef,
    id: charge.id,
    charged_amount: charge.chargedAmount,
    app_fee: charge.appFee,
    merchant_fee: charge.merchantFee,
    stampduty_charge: zeroDecimal,
    settlement_amount: charge.amountSettled,
    status: 'completed',
    payment_entity: 'card',
    transaction_date: charge.createdAt.toISOString(),
    currency: charge.currency,
    card_locale: 'local',
    subaccount_settlement: sumOf(amounts),
  }
}

function amountText(share: Fields): string {
  return optionalText(share, 'amount') ?? '0'
}

function isWithin(query: Fields): (charge: Charge) => boolean {
  const from = optionalDay(query, 'from')
  const to = optionalDay(query, 'to')
  return ({ createdAt }) => {
    const day = createdAt.toISOString().slice(0, 10)
    return (from === undefined || day >= from) && (to === undefined || day <= to)
  }
}
