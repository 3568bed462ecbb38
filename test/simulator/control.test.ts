import { describe, expect, test } from 'vitest'
import { useProvider } from './provider.ts'

const provider = useProvider()

describe('the control API', () => {
  test('refuses web pages and host names that were made to point here', async () => {
    const { apiUrl } = provider()
    const headers = { authorization: 'Bearer FLWSECK_TEST-shop-X' }
    const fromPage = await fetch(`${apiUrl}/control/world`, {
      headers: { ...headers, origin: 'https://evil.example' },
    })
    expect(fromPage.status).toBe(403)
    const { status } = await rawGet(apiUrl, '/control/world', {
      ...headers,
      host: 'rebound.example',
    })
    expect(status).toBe(403)
    expect((await rawGet(apiUrl, '/control/world', headers)).status).toBe(200)
  })

  test('checks what is set', async () => {
    const shop = await provider().merchant()
    for (const body of [
      { webhook_url: 'ftp://shop.example' },
      { charge_fee_percents: { NGN: -1 } },
      { charge_fee_percents: { NGN: 'much' } },
    ]) {
      expect((await shop.control('PUT', '/world', body)).status).toBe(400)
    }
    expect((await shop.control('POST', '/fund', { amount: 0 })).status).toBe(400)
    expect((await shop.control('POST', '/pay', { tx_ref: 'unknown' })).status).toBe(404)
    const { txRef } = await shop.link()
    const realCard = { tx_ref: txRef, card: '4111111111111111' }
    expect((await shop.control('POST', '/pay', realCard)).status).toBe(400)
    expect((await shop.control('POST', '/webhooks/1/send')).status).toBe(404)
    const nothing = { subject: 'charge', reference: (await shop.paid()).tx_ref }
    expect((await shop.control('POST', '/proceed', nothing)).status).toBe(404)
  })

  test('tells where the browser is sent', async () => {
    const shop = await provider().merchant()
    const { txRef } = await shop.link()
    const { body } = await shop.control('POST', '/pay', { tx_ref: txRef, card: '3ds' })
    const { id } = body.transaction
    expect(body).toMatchObject({
      checkout: 'completed',
      redirect_url: `https://shop.example/back?basket=7&status=successful&tx_ref=${txRef}&transaction_id=${id}`,
    })
    const other = await shop.link()
    const cancelled = await shop.control('POST', '/cancel', { tx_ref: other.txRef })
    expect(cancelled.body).toEqual({
      checkout: 'cancelled',
      redirect_url: `https://shop.example/back?basket=7&status=cancelled&tx_ref=${other.txRef}`,
    })
  })
})

async function rawGet(apiUrl: string, path: string, headers: Record<string, string>) {
  const { request } = await import('node:http')
  return new Promise<{ status: number | undefined }>((resolve, reject) => {
    request(`${apiUrl}${path}`, { headers }, (response) => {
      response.resume()
      resolve({ status: response.statusCode })
    })
      .on('error', reject)
      .end()
  })
}

test('a step that cannot be done is set aside, and stops no one else', async () => {
  const shop = await provider().merchant()
  const charge = await shop.paid()
  await provider().database.sql`
    insert into simulator.steps
      (business_id, environment, subject, subject_id, step, due_at, created_at)
    select business_id, environment, 'charge', id, 'explode', created_at, created_at
    from simulator.charges
    where tx_ref = ${charge.tx_ref}`
  expect((await shop.paid()).status).toBe('successful')
  const { body } = await shop.call('GET', `/transactions/${charge.id}/verify`)
  expect(body.data.status).toBe('successful')
  const [step] = await provider().database.sql`
    select due_at, done_at
    from simulator.steps
    where step = 'explode'`
  expect(step).toEqual({ dueAt: null, doneAt: null })
})
