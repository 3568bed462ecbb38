import { describe, expect, it } from 'vitest'
import { useContract } from '../../support/openapi.ts'
import { payer } from '../../support/payouts.ts'

const { world, call } = useContract()
const path = '/merchant/api/v1/balances'

describe('200', () => {
  it('shows what can be paid out, what is reserved, and the wallet', async () => {
    const one = await payer(world(), {}, call)
    await one.payOut({ destinationType: 'service_account', amount: 2000.5 })
    await one.payOut({ amount: 1000 })
    const { status, body } = await call('GET', path, { key: one.key })
    expect(status).toBe(200)
    expect(body.data).toEqual([
      {
        currency: 'NGN',
        pending: 0,
        available: 6999.5,
        reserved: 1000,
        wallet: 2000.5,
        pending_minor: 0,
        available_minor: 699_950,
        reserved_minor: 100_000,
        wallet_minor: 200_050,
      },
    ])
  })

  it('is empty for a business without money', async () => {
    const { text: key } = await world().key({ service: 'merchant' })
    expect((await call('GET', path, { key })).body).toEqual({ data: [] })
  })
})

describe('403', () => {
  it('is the answer to a key without payouts:read', async () => {
    const { text: key } = await world().key({ service: 'merchant', scopes: ['payments:read'] })
    expect((await call('GET', path, { key })).status).toBe(403)
  })
})
