import { Fault } from '../../kernel/basics/fault.ts'
import type { Endpoint } from '../endpoint.ts'
import { success, successPage } from '../envelope.ts'
import { currencyOf, idOf, optionalText, requiredAmount } from '../fields.ts'
import { pageOf } from '../paging.ts'
import { presentTransfer, transferFee } from './transfer.ts'
import { findTransfer, listTransfers } from './transfer-store.ts'

export const getTransfer: Endpoint = {
  method: 'GET',
  path: '/transfers/:id',
  async handle({ database }, { tenant }, { params }) {
    const transfer = await findTransfer(database.sql, tenant, idOf(params.id) ?? 0n)
    if (!transfer) throw new Fault('not_found', 'Transfer not found')
    return success('Transfer fetched', presentTransfer(transfer))
  },
}

// Always a list, even for a single reference. An empty list means that the reference was never
// used.
export const listAllTransfers: Endpoint = {
  method: 'GET',
  path: '/transfers',
  async handle({ database }, { tenant }, { query }) {
    const paging = pageOf(query)
    const filter = {
      reference: optionalText(query, 'reference'),
      status: optionalText(query, 'status'),
    }
    const { total, transfers } = await listTransfers(database.sql, tenant, filter, paging)
    return successPage('Transfers fetched', { total, ...paging }, transfers.map(presentTransfer))
  },
}

export const quoteTransferFee: Endpoint = {
  method: 'GET',
  path: '/transfers/fee',
  async handle(_context, _world, { query }) {
    const currency = currencyOf(query)
    const fee = transferFee(requiredAmount(query), currency)
    return success('Transfer fee fetched', [{ currency, fee_type: 'value', fee }])
  },
}
