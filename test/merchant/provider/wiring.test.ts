// The simulator as part of the service: its pages, and its webhooks to us.
import { expect, test } from 'vitest'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import { useWorld } from '../../support/world.ts'
import { instruction, successOf } from './adapter.ts'

const world = useWorld()

async function checkout(environment: Tenant['environment']) {
  const tenant = { businessId: await world().business(), environment }
  const provider = await world().context.providerFor(tenant)
  const wanted = instruction()
  const { url } = successOf(await provider.createCheckout(wanted))
  return { tenant, reference: wanted.reference, url }
}

test('the payer’s page is shown by the service itself', async () => {
  const { url } = await checkout('test')
  expect(url.startsWith(world().context.publicUrl)).toBe(true)
  const page = await fetch(world().baseUrl + new URL(url).pathname)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('Corner shop')
})

test.each(['test', 'live'] as const)('webhooks of %s reach us, and we know them', async (name) => {
  const { tenant, reference } = await checkout(name)
  await world().simulator.pay(tenant, reference)
  await world().simulator.drain()
  const path = `/webhooks?reference=${reference}`
  const sent = await world().simulator.control(tenant, 'GET', path)
  expect(sent.webhooks).toMatchObject([{ event: 'charge.completed', status_code: 200 }])
})

test('the first payment can be refunded whole, although the provider kept its fee', async () => {
  const { tenant, reference } = await checkout('live')
  await world().simulator.pay(tenant, reference)
  await world().simulator.drain()
  const provider = await world().context.providerFor(tenant)
  const charge = successOf(await provider.findCharge(reference))
  const refund = { transactionId: charge?.transactionId ?? '', currency: 'NGN', note: '' }
  const outcome = await provider.refund({ ...refund, amountMinor: instruction().amountMinor })
  expect(outcome.kind).toBe('success')
})

test('no one else can send them', async () => {
  for (const hash of [undefined, '', 'guessed']) {
    const answer = await world().call('POST', '/hooks/provider/test', {
      body: { event: 'charge.completed', data: { tx_ref: 'order' } },
      headers: hash === undefined ? {} : { 'verif-hash': hash },
    })
    expect(answer.status).toBe(401)
  }
})
