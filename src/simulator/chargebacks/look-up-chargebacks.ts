import { assertDefined } from '../../kernel/basics/assert.ts'
import { findCharge } from '../charges/charge-store.ts'
import type { Endpoint } from '../endpoint.ts'
import { successPage } from '../envelope.ts'
import { optionalDay } from '../fields.ts'
import { pageOf } from '../paging.ts'
import { presentChargeback } from './chargeback.ts'
import { listChargebacks } from './chargeback-store.ts'

export const listAllChargebacks: Endpoint = {
  method: 'GET',
  path: '/chargebacks',
  async handle({ database }, { tenant }, { query }) {
    const paging = pageOf(query)
    const days = { fromDay: optionalDay(query, 'from'), toDay: optionalDay(query, 'to') }
    const { total, chargebacks } = await listChargebacks(database.sql, tenant, days, paging)
    const data = await Promise.all(
      chargebacks.map(async (chargeback) => {
        const charge = await findCharge(database.sql, tenant, chargeback.chargeId)
        return presentChargeback(chargeback, assertDefined(charge, 'a chargeback of no charge'))
      }),
    )
    return successPage('Chargebacks fetched', { total, ...paging }, data)
  },
}
