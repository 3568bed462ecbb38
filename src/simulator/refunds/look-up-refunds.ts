import { Fault } from '../../kernel/basics/fault.ts'
import { findCharge } from '../charges/charge-store.ts'
import type { Endpoint } from '../endpoint.ts'
import { success, successPage } from '../envelope.ts'
import { idOf, optionalText, refuse } from '../fields.ts'
import { pageOf } from '../paging.ts'
import { presentRefund, presentRefundInList } from './refund.ts'
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
  async handle({ database }, world, { query }) {
    const wanted = optionalText(query, 'id')
    const chargeId = idOf(wanted)
    if (wanted !== undefined && chargeId === undefined) throw refuse('id must be a number')
    const paging = pageOf(query)
    const { tenant, accountId } = world
    const { total, refunds } = await listRefunds(database.sql, tenant, chargeId, paging)
    const data = await Promise.all(
      refunds.map(async (refund) => {
        const charge = await findCharge(database.sql, tenant, refund.chargeId)
        return presentRefundInList(refund, charge, accountId)
      }),
    )
    return successPage('Refunds fetched', { total, ...paging }, data)
  },
}
