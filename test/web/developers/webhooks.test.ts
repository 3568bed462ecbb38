// Webhook endpoints in the application, as an admin manages them.
import { expect, it } from 'vitest'
import { appVisitor } from '../../support/app-visitor.ts'
import { shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld({ egress: { allowed: { hosts: new Set(['127.0.0.1']), ranges: [] } } })

// covers: owners and admins can also manage webhook endpoints in the dashboard
it('an admin creates, changes and deletes an endpoint', async () => {
  const { tenant, key } = await shop(world())
  const admin = await appVisitor(world(), tenant.businessId, 'admin')
  const list = async () =>
    (await world().call('GET', '/merchant/api/v1/webhooks', { key })).body.data
  const base = '/developers/webhooks/merchant'

  const created = await admin.submit(`${base}/new`, { url: 'https://127.0.0.1:9/hook' })
  expect(created.status).toBe(200)
  expect(created.text).toMatch(/whsec_[0-9A-Za-z]{43}/)
  const [{ id }] = await list()
  expect((await admin.get(`${base}/${id}`)).text).toContain('Send test event')

  await admin.submit(`${base}/${id}/edit`, { url: 'https://127.0.0.1:9/other' })
  expect(await list()).toMatchObject([{ id, url: 'https://127.0.0.1:9/other' }])

  expect((await admin.submit(`${base}/${id}/delete`)).status).toBe(303)
  expect(await list()).toEqual([])
})

it('a bad address is refused at its field, and nothing is created', async () => {
  const { tenant } = await shop(world())
  const admin = await appVisitor(world(), tenant.businessId, 'admin')
  const answer = await admin.submit('/developers/webhooks/merchant/new', { url: 'http://x' })
  expect(answer.status).toBe(422)
  expect(answer.text).toContain('id="url-error"')
})

it('a member sees endpoints and cannot change them', async () => {
  const { tenant } = await shop(world())
  const member = await appVisitor(world(), tenant.businessId, 'member')
  expect((await member.get('/developers/webhooks/merchant')).status).toBe(200)
  expect((await member.get('/developers/webhooks/merchant/new')).status).toBe(403)
})

it('the address of an action leads to the page with its button', async () => {
  const { tenant } = await shop(world())
  const admin = await appVisitor(world(), tenant.businessId, 'admin')
  const page = '/developers/webhooks/merchant/01a1e2fb-222f-70e2-8bb2-de5326224240'
  const opened = await admin.get(`${page}/switch-on`)
  expect([opened.status, opened.headers.get('location')]).toEqual([
    303,
    `/b/${tenant.businessId}${page}`,
  ])
  const sent = await admin.post(`${page}/switch-on`, {
    form_token: '01a1e2fb-222f-70e2-8bb2-de5326224240',
  })
  expect(sent.status).toBe(409)
  expect(/<h1>(.*?)<\/h1><p class="lead">(.*?)<\/p>/.exec(sent.text)?.slice(1)).toEqual([
    'This is not possible',
    'No such webhook.',
  ])
})
