import { addMilliseconds } from '../../kernel/basics/clock.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import { type Decimal, parseDecimal, subtract, zeroDecimal } from '../../kernel/money/decimal.ts'
import { findCharge } from '../charges/charge-store.ts'
import type { SimulatorContext } from '../context.ts'
import type { Endpoint } from '../endpoint.ts'
import { success, successPage } from '../envelope.ts'
import { idOf, optionalDay, optionalText, refuse } from '../fields.ts'
import { pageOf } from '../paging.ts'
import { consumeRules } from '../rules/consume-rules.ts'
import { type Effect, findEffect } from '../rules/rule.ts'
import type { World } from '../world.ts'
import { presentRefund, presentRefundInList, type Refund } from './refund.ts'
import { findRefund, listRefunds } from './refund-store.ts'

export const getRefund: Endpoint = {
  method: 'GET',
  path: '/refunds/:id',
  async handle({ database }, world, { params }) {
    const refund = await findRefund(database.sql, world.tenant, idOf(params.id) ?? 0n)
    if (!refund) throw new Fault('not_found', 'Refund not found')
    return success('Refund fetched', presentRefund(refund, world.accountId))
  },
}

// `id` is the transaction's, not the refund's.
export const listAllRefunds: Endpoint = {
  method: 'GET',
  path: '/refunds',
  async handle(context, world, { query }) {
    const { database } = context
    const wanted = optionalText(query, 'id')
    const chargeId = idOf(wanted)
    if (wanted !== undefined && chargeId === undefined) throw refuse('id must be a number')
    const paging = pageOf(query)
    const filter = {
      chargeId,
      fromDay: optionalDay(query, 'from'),
      toDay: optionalDay(query, 'to'),
    }
    const { tenant, accountId } = world
    const { total, refunds } = await listRefunds(database.sql, tenant, filter, paging)
    const effects = await effectsOf(context, world, chargeId)
    const listed = refunds.filter((refund) => isListed(context, refund, effects))
    const data = await Promise.all(
      listed.map(async (refund) => {
        const charge = await findCharge(database.sql, tenant, refund.chargeId)
        const amount = subtract(refund.amount, differenceOf(effects))
        return presentRefundInList({ ...refund, amount }, charge, accountId)
      }),
    )
    return successPage('Refunds fetched', { total, ...paging }, data)
  },
}

async function effectsOf(
  { database }: SimulatorContext,
  world: World,
  chargeId: bigint | undefined,
): Promise<Effect[]> {
  const { sql } = database
  const charge = chargeId === undefined ? undefined : await findCharge(sql, world.tenant, chargeId)
  return consumeRules(sql, world, 'call', ['refund_list'], { reference: charge?.txRef })
}

// The list can lag behind.
function isListed(
  { clock }: SimulatorContext,
  { createdAt }: Refund,
  effects: readonly Effect[],
): boolean {
  const late = findEffect(effects, 'late')
  if (!late) return true
  const { afterMs } = late.parameters
  return afterMs !== undefined && addMilliseconds(createdAt, afterMs) <= clock.now()
}

// How much less than the refund the list shows.
function differenceOf(effects: readonly Effect[]): Decimal {
  const { amount } = findEffect(effects, 'other_amount')?.parameters ?? {}
  return (amount === undefined ? undefined : parseDecimal(amount)) ?? zeroDecimal
}
