// The index of settings, and the pages that show and change the business.
import { expect, it } from 'vitest'
import { allowRefunds, appVisitor } from '../../support/app-visitor.ts'
import { paidPayment } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

it('leads to pages that the person may open', async () => {
  const viewer = await appVisitor(world(), await world().business(), 'viewer')
  const { text } = await viewer.get('/settings')
  const paths = [...text.matchAll(/class="card setting" href="\/b\/[^/"]*([^"]*)"/g)]
  expect(paths.length).toBeGreaterThan(5)
  for (const [, path = ''] of paths) expect((await viewer.get(path)).status).toBe(200)
})

it('keeps the details of the business, and shows times in its zone', async () => {
  const owner = await appVisitor(world(), await world().business(), 'owner')
  const wrong = await owner.submit('/settings/business/edit', { timeZone: 'Mars/Olympus' })
  expect(wrong.status).toBe(422)
  const details = { legalName: 'Corner shop Ltd', address: '1 High Street\r\nLagos' }
  const answer = await owner.submit('/settings/business/edit', {
    ...details,
    timeZone: 'Africa/Lagos',
  })
  expect(answer.status).toBe(303)
  const { text } = await owner.get('/settings/business')
  for (const shown of ['Corner shop Ltd', '1 High Street\nLagos', 'Africa/Lagos']) {
    expect(text).toContain(shown)
  }
})

it('shows amounts and dates, and reads amounts, as the business writes them', async () => {
  const begun = await paidPayment(world())
  await allowRefunds(world(), begun.tenant)
  const owner = await appVisitor(world(), begun.tenant.businessId)
  const wrong = await owner.submit('/settings/business/edit', { locale: 'xx' })
  expect(wrong.status).toBe(422)
  expect((await owner.get(`/payments/${begun.id}`)).text).toContain('NGN\u00a01,000.00')
  await owner.submit('/settings/business/edit', { locale: 'de-DE', timeZone: 'UTC' })
  const page = await owner.get(`/payments/${begun.id}`)
  expect(page.text).toContain('1.000,00\u00a0NGN')
  expect(page.text).not.toContain('1,000.00')
  const form = await owner.get(`/payments/${begun.id}/refund`)
  expect(form.text).toContain('value="1000,00"')
  const refused = await owner.submit(`/payments/${begun.id}/refund`, { amountMinor: '1,234' })
  expect(refused.text).toContain('NGN has 2 decimals, for example 1.500,50.')
  const refunded = await owner.submit(`/payments/${begun.id}/refund`, { amountMinor: '100,50' })
  expect(refunded.status).toBe(303)
  // Another business is not affected.
  const other = await paidPayment(world())
  const stranger = await appVisitor(world(), other.tenant.businessId)
  expect((await stranger.get(`/payments/${other.id}`)).text).toContain('NGN\u00a01,000.00')
})

it('shows the fee that applies', async () => {
  const viewer = await appVisitor(world(), await world().business(), 'viewer')
  expect((await viewer.get('/settings/fees')).text).toContain('1.5 %')
})

it('shows each person on a page, with what an owner can do about them', async () => {
  const businessId = await world().business()
  const owner = await appVisitor(world(), businessId, 'owner')
  const viewer = await appVisitor(world(), businessId, 'viewer')
  const path = `/settings/team/${viewer.personId}`
  expect((await owner.get('/settings/team')).text).toContain(`href="/b/${businessId}${path}"`)
  const page = await owner.get(path)
  expect(page.text).toContain(viewer.email)
  for (const act of ['role', 'password', 'second-factor', 'sessions', 'remove']) {
    expect(page.text).toContain(`${path}/${act}"`)
  }
  expect((await viewer.get(path)).text).not.toContain(`${path}/`)
  expect((await owner.get(`/settings/team/${businessId}`)).status).toBe(404)
})

it('changes a threshold from its row', async () => {
  const businessId = await world().business()
  await allowRefunds(world(), { businessId, environment: 'live' })
  const owner = await appVisitor(world(), businessId, 'owner')
  const { text } = await owner.get('/settings/thresholds')
  const [, query = ''] = /thresholds\/new\?(operation=refund[^"]*)"/.exec(text) ?? []
  const form = await owner.get(`/settings/thresholds/new?${query.replaceAll('&amp;', '&')}`)
  const amount = new URLSearchParams(query.replaceAll('&amp;', '&')).get('amountMinor')
  expect(amount).toMatch(/^\d/)
  expect(form.text).toContain(`value="${amount}"`)
  expect(form.text).toContain('<option value="refund" selected')
})
