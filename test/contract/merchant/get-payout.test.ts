import { describe, expect, it } from 'vitest'
import { useContract } from '../../support/openapi.ts'
import { payer } from '../../support/payouts.ts'

const { world, call } = useContract()
const path = '/merchant/api/v1/payouts'

describe('200', () => {
  it('is the payout as the list shows it', async () => {
    const one = await payer(world(), {}, call)
    const { payoutId } = (await one.payOut({ destinationType: 'service_account' })).body
    const { status, body } = await call('GET', `${path}/${payoutId}`, { key: one.key })
    const list = await call('GET', path, { key: one.key })
    expect([status, body]).toEqual([200, list.body.data[0]])
  })
})

describe('403', () => {
  it('is the answer to a key without payouts:read', async () => {
    const one = await payer(world(), {}, call)
    const { payoutId } = (await one.payOut()).body
    const scopes = ['payouts:create']
    const { text: key } = await world().key({ service: 'merchant', scopes, ...one.tenant })
    expect((await call('GET', `${path}/${payoutId}`, { key })).status).toBe(403)
  })
})

describe('404', () => {
  it('is the answer for a payout of another business', async () => {
    const [one, other] = [await payer(world(), {}, call), await payer(world(), {}, call)]
    const { payoutId } = (await one.payOut()).body
    expect((await call('GET', `${path}/${payoutId}`, { key: other.key })).status).toBe(404)
  })
})
