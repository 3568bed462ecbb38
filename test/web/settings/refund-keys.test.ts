// The switch for idempotency keys of refunds.
import { expect, it } from 'vitest'
import { appVisitor } from '../../support/app-visitor.ts'
import { shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const path = '/settings/refund-keys'

it('is switched on and off by an admin, and shown to others', async () => {
  const { tenant, key } = await shop(world())
  const admin = await appVisitor(world(), tenant.businessId, 'admin')
  const isOn = async () =>
    (await world().call('GET', '/merchant/api/v1/account', { key })).body.takes_refund_keys
  expect(await isOn()).toBe(false)
  expect((await admin.submit(path)).status).toBe(303)
  expect(await isOn()).toBe(true)

  const viewer = await appVisitor(world(), tenant.businessId, 'viewer')
  const settings = await viewer.get('/settings')
  expect(settings.text).toContain('gets the first refund and sends nothing')
  expect(settings.text).not.toContain(path)

  expect((await admin.submit(path)).status).toBe(303)
  expect(await isOn()).toBe(false)
})

it('stays on when two people switch it on at once', async () => {
  const { tenant, key } = await shop(world())
  const [one, other] = [
    await appVisitor(world(), tenant.businessId),
    await appVisitor(world(), tenant.businessId, 'admin'),
  ]
  const opened = await other.get(path)
  const token = /name="form_token" value="([^"]*)"/.exec(opened.text)?.[1] ?? ''
  await one.submit(path)
  await other.post(path, { form_token: token, isOn: 'yes' })
  const { body } = await world().call('GET', '/merchant/api/v1/account', { key })
  expect(body.takes_refund_keys).toBe(true)
})
