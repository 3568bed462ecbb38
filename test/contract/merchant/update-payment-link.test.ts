import { describe, expect, it } from 'vitest'
import { useContract } from '../../support/openapi.ts'
import { shop } from '../../support/payments.ts'

const { world, call } = useContract()
const path = '/merchant/api/v1/payment-links'
const order = { title: 'Order', currency: 'NGN' }

describe('200', () => {
  it('stops payers, and lets them pay again once it is enabled', async () => {
    const { key } = await shop(world())
    const { body } = await call('POST', path, { key, body: order })
    const page = new URL(body.url).pathname
    const change = (disabled: boolean) =>
      call('PATCH', `${path}/${body.id}`, { key, body: { disabled } })
    const off = await change(true)
    expect([off.status, off.body]).toEqual([200, { ...body, state: 'disabled' }])
    expect((await world().call('GET', page)).status).toBe(410)
    expect((await change(true)).body.state).toBe('disabled')
    expect((await change(false)).body).toEqual(body)
    expect((await world().call('GET', page)).status).toBe(200)
  })

  it('is in the audit log, once for each change', async () => {
    const { key, tenant } = await shop(world())
    const { body } = await call('POST', path, { key, body: order })
    for (const disabled of [true, true, false]) {
      await call('PATCH', `${path}/${body.id}`, { key, body: { disabled } })
    }
    const rows = await world().database.sql<{ action: string }[]>`
      select action
      from kernel.audit_log
      where business_id = ${tenant.businessId}
        and object_id = ${body.id}
      order by id`
    expect(rows.map(({ action }) => action.split('.')[1])).toEqual(['create', 'disable', 'enable'])
  })
})

describe('404', () => {
  it('is the answer for a payment link of another business, which stays', async () => {
    const owner = await shop(world())
    const other = await shop(world())
    const { body } = await call('POST', path, { key: owner.key, body: order })
    const answer = await call('PATCH', `${path}/${body.id}`, {
      key: other.key,
      body: { disabled: true },
    })
    expect(answer.status).toBe(404)
    const { body: after } = await call('GET', `${path}/${body.id}`, { key: owner.key })
    expect(after.state).toBe('active')
  })
})
