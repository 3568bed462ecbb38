// Looks charges up: by id, by the merchant's reference, or by filter; shows their timeline; and
// sends the webhook again.
import { Fault } from '../../kernel/basics/fault.ts'
import { add, zeroDecimal } from '../../kernel/money/decimal.ts'
import type { SimulatorContext } from '../context.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import { success, successPage } from '../envelope.ts'
import {
  currencyOf,
  idOf,
  optionalDay,
  optionalText,
  requiredAmount,
  requiredText,
} from '../fields.ts'
import { pageOf } from '../paging.ts'
import { chargeFee, type World } from '../world.ts'
import { asReported, type Charge, presentCharge, presentChargeInList } from './charge.ts'
import { listChargeEvents } from './charge-event-store.ts'
import { findCharge, listCharges, listChargesByReference } from './charge-store.ts'
import { queueChargeWebhook } from './report-charge.ts'

const found = 'Transaction fetched successfully'

export const verifyCharge: Endpoint = {
  method: 'GET',
  path: '/transactions/:id/verify',
  async handle(context, world, call) {
    const charge = await chargeOf(context, world, call)
    return success(
      found,
      presentCharge(asReported(charge, 'contradict_in_verify'), world.accountId),
    )
  },
}

export const verifyChargeByReference: Endpoint = {
  method: 'GET',
  path: '/transactions/verify_by_reference',
  async handle({ database }, world, { query }) {
    const txRef = requiredText(query, 'tx_ref')
    const [charge] = await listChargesByReference(database.sql, world.tenant, txRef)
    if (!charge) throw unknownCharge()
    return success(
      found,
      presentCharge(asReported(charge, 'contradict_in_verify'), world.accountId),
    )
  },
}

export const listAllCharges: Endpoint = {
  method: 'GET',
  path: '/transactions',
  async handle({ database }, world, { query }) {
    const paging = pageOf(query)
    const { total, charges } = await listCharges(
      database.sql,
      world.tenant,
      {
        fromDay: optionalDay(query, 'from'),
        toDay: optionalDay(query, 'to'),
        status: optionalText(query, 'status'),
        txRef: optionalText(query, 'tx_ref'),
        currency: optionalText(query, 'currency'),
      },
      paging,
    )
    const data = charges.map((charge) =>
      presentChargeInList(asReported(charge, 'contradict_in_list'), world.accountId),
    )
    return successPage('Transactions fetched', { total, ...paging }, data)
  },
}

export const quoteChargeFee: Endpoint = {
  method: 'GET',
  path: '/transactions/fee',
  async handle(_context, world, { query }) {
    const amount = requiredAmount(query)
    const currency = currencyOf(query)
    const fee = chargeFee(world, amount, currency)
    return success('Charged fee', {
      charge_amount: add(amount, fee),
      fee,
      merchant_fee: zeroDecimal,
      flutterwave_fee: fee,
      stamp_duty_fee: zeroDecimal,
      currency,
    })
  },
}

export const getChargeEvents: Endpoint = {
  method: 'GET',
  path: '/transactions/:id/events',
  async handle(context, world, call) {
    const charge = await chargeOf(context, world, call)
    const events = await listChargeEvents(context.database.sql, world.tenant, charge.id)
    const data = events.map(({ note, action, createdAt }) => ({
      note,
      actor: charge.customerEmail,
      object: 'charge',
      action,
      context: charge.flwRef,
      created_at: createdAt.toISOString(),
    }))
    return success('Transaction events fetched', data)
  },
}

export const resendChargeWebhook: Endpoint = {
  method: 'POST',
  path: '/transactions/:id/resend-hook',
  async handle(context, world, call) {
    const charge = await chargeOf(context, world, call)
    await context.database.transaction((tx) => queueChargeWebhook(tx, context, world, charge))
    return success('hook sent', null)
  },
}

async function chargeOf(
  { database }: SimulatorContext,
  { tenant }: World,
  { params }: Call,
): Promise<Charge> {
  const id = idOf(params.id)
  const charge = id === undefined ? undefined : await findCharge(database.sql, tenant, id)
  if (!charge) throw unknownCharge()
  return charge
}

// The provider returns 400 here, with the same message for every kind of lookup.
export function unknownCharge(): Fault {
  return new Fault('invalid_request', 'No transaction was found for this id')
}
