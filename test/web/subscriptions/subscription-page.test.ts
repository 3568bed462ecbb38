import { expect, it } from 'vitest'
import { appVisitor } from '../../support/app-visitor.ts'
import { ownPage } from '../../support/subscriber-page.ts'
import { subscribed, subscription } from '../../support/subscriptions.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

it('shows a subscription with its charges and the address for the subscriber', async () => {
  const { tenant, id, page } = await subscribed(world())
  const owner = await appVisitor(world(), tenant.businessId)
  const { text } = await owner.get(`/subscriptions/${id}`)
  expect(text).toContain(`${page}"`)
  expect(text).toContain('The next charge is on')
  expect(text.match(/\/payments\/[0-9a-f-]+"/g)).toHaveLength(1)
})

it('says what an unpaid one waits for, and that a cancelled one charges nothing', async () => {
  const { tenant, id } = await subscription(world())
  const owner = await appVisitor(world(), tenant.businessId)
  expect((await owner.get(`/subscriptions/${id}`)).text).toContain('Waits for the subscriber')
  const cancelled = await owner.submit(`/subscriptions/${id}/cancel`, { when: 'now' })
  expect(cancelled.headers.get('location')).toMatch(new RegExp(`/subscriptions/${id}$`))
  const { text } = await owner.get(`/subscriptions/${id}`)
  expect(text).toContain('Nothing is charged any more.')
  expect(text).not.toContain(`/subscriptions/${id}/cancel`)
})

it('shows the subscriber’s own page to those who may cancel, and replaces its address', async () => {
  const one = await subscribed(world())
  const { businessId } = one.tenant
  const owner = await appVisitor(world(), businessId)
  const old = await ownPage(world(), one)
  expect((await owner.get(`/subscriptions/${one.id}`)).text).toContain(`${old}"`)
  const viewer = await appVisitor(world(), businessId, 'viewer')
  expect((await viewer.get(`/subscriptions/${one.id}`)).text).not.toContain(old)
  expect((await viewer.get(`/subscriptions/${one.id}/page`)).status).toBe(403)

  await owner.submit(`/subscriptions/${one.id}/page`)
  const now = await ownPage(world(), one)
  expect(now).not.toBe(old)
  expect((await owner.get(`/subscriptions/${one.id}`)).text).toContain(`${now}"`)
  expect((await world().call('GET', old)).status).toBe(404)
  expect((await world().call('GET', now)).status).toBe(200)
})
