import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { useContract } from '../../support/openapi.ts'
import { comeBack, newCode, paidPayment, payment, shop } from '../../support/payments.ts'
import type { CallOptions } from '../../support/world.ts'

const { world, call } = useContract()
const path = '/merchant/api/v1/payments'

const cancel = (key: string, id: string, options: CallOptions = {}) =>
  call('POST', `${path}/${id}/cancel`, { key, ...options })

async function acts(id: string): Promise<number> {
  const rows = await world().database.sql`
    select
    from kernel.audit_log
    where action = 'payment.cancel'
      and object_id = ${id}`
  return rows.length
}

describe('200', () => {
  // covers: pending → cancelled by POST /payments/{id}/cancel while
  // covers: cancelled = voided while pending
  // covers: POST /payments/{id}/cancel, payments:cancel
  it('is the cancelled payment', async () => {
    const { key, id } = await payment(world())
    const { status, body } = await cancel(key, id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, status: 'cancelled', fee_amount: 0, net_amount: 0 })
    expect((await call('GET', `${path}/${id}`, { key })).body).toEqual(body)
  })

  // covers: repeating the call leaves it cancelled
  // covers: POST /payments/{id}/cancel: none needed
  it('is answered again to a repeat, which changes nothing', async () => {
    const { key, id } = await payment(world())
    const first = await cancel(key, id)
    const second = await cancel(key, id, { body: {} })
    expect(second.status).toBe(200)
    expect(second.body).toEqual(first.body)
    expect(await acts(id)).toBe(1)
  })

  // covers: repeating the call leaves it cancelled
  it('is answered to many at the same moment, of which one cancels', async () => {
    const { key, id } = await payment(world())
    const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(key, id)))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(await acts(id)).toBe(1)
  })

  // covers: cancelled = voided while pending
  it('frees a single-use code for the next payer', async () => {
    const owner = await shop(world())
    const page = await newCode(world(), owner, { singleUse: true })
    const { id } = await payment(world(), owner, page)
    expect((await world().call('GET', page)).status).toBe(409)
    await cancel(owner.key, id)
    expect((await world().call('GET', page)).status).toBe(200)
  })

  it('sends no event, since the payment has neither succeeded nor failed', async () => {
    const { key, id } = await payment(world())
    await cancel(key, id)
    const events = await world().database.sql`
      select type
      from kernel.events
      where object_id = ${id}`
    expect(events).toEqual([])
  })
})

describe('400', () => {
  // covers: pending → cancelled by POST /payments/{id}/cancel while
  // covers: POST /payments/{id}/cancel, payments:cancel
  // covers: 400 invalid_request: invalid input or a broken business rule
  it('is answered when the payment has succeeded', async () => {
    const { key, id } = await paidPayment(world())
    const { status, body } = await cancel(key, id)
    expect(status).toBe(400)
    expect(body.error).toBe('Only a pending payment can be cancelled.')
  })

  // covers: pending → cancelled by POST /payments/{id}/cancel while
  // covers: POST /payments/{id}/cancel, payments:cancel
  it('is answered when the payment has failed', async () => {
    const { key, id, tenant, reference } = await payment(world())
    await world().simulator.pay(tenant, reference, 'insufficient_funds')
    await comeBack(world(), reference)
    expect((await cancel(key, id)).status).toBe(400)
  })

  // covers: pending → cancelled by POST /payments/{id}/cancel while
  // covers: POST /payments/{id}/cancel, payments:cancel
  it('is answered when the provider is working on the charge', async () => {
    const { key, id, tenant, reference } = await payment(world())
    await world().simulator.rule(tenant, { operation: 'charge', effect: 'stay_pending' })
    await world().simulator.pay(tenant, reference)
    await comeBack(world(), reference)
    const { status, body } = await cancel(key, id)
    expect(status).toBe(400)
    expect(body.error).toBe('Only a pending payment can be cancelled.')
  })

  it.each([
    ['a field', '{"reason":"mistake"}'],
    ['null', 'null'],
    ['a list', '[]'],
    ['no JSON', '{'],
  ])('is answered to a body that is %s, and the payment stays', async (_, rawBody) => {
    const { key, id } = await payment(world())
    expect((await cancel(key, id, { rawBody })).status).toBe(400)
    expect((await call('GET', `${path}/${id}`, { key })).body.status).toBe('pending')
  })
})

describe('403', () => {
  // covers: POST /payments/{id}/cancel, payments:cancel
  it('is answered to a key without payments:cancel', async () => {
    const { id, tenant } = await payment(world())
    const { text } = await world().key({
      service: 'merchant',
      scopes: ['payments:read'],
      ...tenant,
    })
    expect((await cancel(text, id)).status).toBe(403)
  })
})

describe('404', () => {
  it('is answered for a payment of another business or environment, which stays', async () => {
    const { id, key, tenant } = await payment(world())
    const stranger = await shop(world())
    const sandbox = await shop(world(), { ...tenant, environment: 'test' })
    for (const other of [stranger, sandbox]) expect((await cancel(other.key, id)).status).toBe(404)
    expect((await cancel(key, randomUUID())).status).toBe(404)
    expect((await call('GET', `${path}/${id}`, { key })).body.status).toBe('pending')
  })
})
