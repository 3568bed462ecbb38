// Deliveries of webhooks in the application.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { appVisitor } from '../../support/app-visitor.ts'
import { shop } from '../../support/payments.ts'
import {
  makeCertificate,
  publicEgressTo,
  type Receiver,
  startReceiver,
} from '../../support/receiver.ts'
import { newEndpoint } from '../../support/webhooks.ts'
import { useWorld } from '../../support/world.ts'

const certificate = makeCertificate()
const world = useWorld({ egress: publicEgressTo(certificate) })
const base = '/developers/webhooks/merchant'
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver(certificate)
})
beforeEach(() => {
  receiver.received.length = 0
})
afterAll(() => receiver.close())

async function pinged() {
  const { tenant } = await shop(world())
  const admin = await appVisitor(world(), tenant.businessId, 'admin')
  const { id, secret } = await newEndpoint(world(), tenant, `${receiver.url}/one`)
  await newEndpoint(world(), tenant, `${receiver.url}/two`)
  receiver.answer((_, response) => response.writeHead(503).end('<script>alert(1)</script>'))
  expect((await admin.submit(`${base}/${id}/test`, { form_token: id })).status).toBe(303)
  await world().deliveries?.drain()
  const list = await admin.get(`${base}/${id}`)
  const path = new RegExp(`${base}/${id}/deliveries/[0-9a-f-]{36}(?=")`).exec(list.text)?.[0] ?? ''
  return { tenant, admin, secret, path }
}

it('a test event goes only to the endpoint whose button was pressed', async () => {
  await pinged()
  expect(receiver.received.map(({ path, headers }) => [path, headers['x-service-event']])).toEqual([
    ['/hook/one', 'test.ping'],
  ])
})

it('a delivery shows payload, headers and the response as text, and never the secret', async () => {
  const { admin, secret, path } = await pinged()
  const { status, text } = await admin.get(path)
  expect(status).toBe(200)
  expect(text).toContain('&quot;type&quot;: &quot;test.ping&quot;')
  expect(text).toContain(
    `X-Service-Signature: ${receiver.received[0]?.headers['x-service-signature']}`,
  )
  expect(text).toContain('&lt;script>alert(1)&lt;/script>')
  expect(text).not.toContain('<script>alert')
  expect(text).not.toContain(secret)
})

it('a viewer sees the attempts and not what was sent or answered', async () => {
  const { tenant, path } = await pinged()
  const viewer = await appVisitor(world(), tenant.businessId, 'viewer')
  const { text } = await viewer.get(path)
  expect(text).toContain('Attempt 1')
  expect(text).not.toContain('X-Service-Signature')
  expect(text).not.toContain('alert(1)')
  expect(text).not.toContain('Send again')
})

it('a delivery is sent again from its page', async () => {
  const { admin, path } = await pinged()
  receiver.answer((_, response) => response.writeHead(200).end('thanks'))
  const again = await admin.post(`${path}/retry`, {
    form_token: '01a1e2fb-222f-70e2-8bb2-de5326224240',
  })
  expect(again.status).toBe(303)
  expect((await admin.get(path)).text).toContain('thanks')
})
