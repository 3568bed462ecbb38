// POST /payouts without a configured payment provider: nothing is reserved and no key is used up.
import { expect, it } from 'vitest'
import { useContract } from '../support/openapi.ts'
import { payer } from '../support/payouts.ts'

const { world, call } = useContract({ simulatorServesLive: false })

it.each([
  ['the bank', 'provider_bank'],
  ['the wallet', 'service_account'],
])('a live payout to %s is 503, and nothing is recorded', async (_, destinationType) => {
  const stranded = await payer(world(), {}, call)
  const headers = { 'idempotency-key': 'order-17' }
  const { status, body } = await stranded.payOut({ destinationType }, { headers })
  expect([status, body.code]).toEqual([503, 'unavailable'])
  expect(await world().database.sql`select from merchant.payouts`).toHaveLength(0)
  expect(await world().database.sql`select from kernel.idempotency_keys`).toHaveLength(0)
})
