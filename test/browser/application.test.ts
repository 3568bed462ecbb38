// @module-tag long
// The application in a real browser: what people do in it, and how its pages look on a desktop,
// on a phone and in the dark.
import { afterEach, expect, test } from 'vitest'
import { type AppVisitor, allowRefunds, appVisitor } from '../support/app-visitor.ts'
import { lookProblems, useBrowser } from '../support/browser.ts'
import { expectInvariants } from '../support/invariants.ts'
import { newLink, paidPayment, shop } from '../support/payments.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ isReachable: true })
const browser = useBrowser()

afterEach(() => expectInvariants(world().database))

async function signedIn(visitor: AppVisitor, businessId: string, options = {}) {
  const base = `${world().baseUrl}/b/${businessId}`
  const visit = await browser.visit(`${world().baseUrl}/sign-in`, options)
  const cookies = (visitor.headers().cookie ?? '').split('; ').map((cookie) => {
    const [name = '', ...value] = cookie.split('=')
    return { name, value: value.join('='), url: world().baseUrl }
  })
  await visit.page.context().addCookies(cookies)
  await visit.page.goto(base)
  return { visit, page: visit.page, base }
}

test('an owner makes a link, finds a payment and refunds a part of it', async () => {
  const owner = await shop(world())
  const { id } = await paidPayment(world(), owner)
  await allowRefunds(world(), owner.tenant)
  const visitor = await appVisitor(world(), owner.tenant.businessId)
  const { visit, page } = await signedIn(visitor, owner.tenant.businessId)
  await using _ = visit

  await page.getByRole('navigation', { name: 'Main' }).getByText('Payment links').click()
  await page.getByRole('link', { name: 'New payment link' }).first().click()
  await page.getByLabel('What is paid for').fill('Workshop')
  await page.getByLabel('Amount', { exact: true }).nth(1).fill('1,500.50')
  await page.getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('heading', { name: /Workshop/ }).waitFor()
  await page.getByText('NGN 1,500.50').first().waitFor()

  await page.getByRole('link', { name: 'Payments', exact: true }).click()
  await page.getByRole('link', { name: 'NGN 1,000.00' }).click()
  await page.getByRole('link', { name: 'Refund', exact: true }).click()
  await page.getByLabel('Amount in NGN').fill('100')
  await page.getByRole('button', { name: 'Refund', exact: true }).dblclick()
  await page.getByRole('status').getByText('NGN 100.00 was refunded.').waitFor()
  const path = `/merchant/api/v1/payments/${id}`
  const { body } = await world().call('GET', path, { key: owner.key })
  expect([body.status, body.refunded_amount]).toEqual(['partially_refunded', 10_000])
  expect(visit.complaints).toEqual([])
})

test('the command palette finds places and objects by keyboard', async () => {
  const owner = await shop(world())
  await newLink(world(), owner, { title: 'Pottery class' })
  const visitor = await appVisitor(world(), owner.tenant.businessId)
  const { visit, page } = await signedIn(visitor, owner.tenant.businessId)
  await using _ = visit

  await page.keyboard.press('/')
  await page.getByRole('link', { name: 'Settlements' }).last().waitFor()
  // Faster than the results come.
  await page.keyboard.type('audit')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Audit log' }).waitFor()

  await page.keyboard.press('Control+k')
  await page.keyboard.type('pott')
  await page.getByRole('dialog').getByText('Pottery class').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /Pottery class/ }).waitFor()

  // The Tab key goes past the field, which opens the palette as soon as one types.
  const search = page.locator('#search')
  await search.focus()
  await page.keyboard.press('Tab')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await search.focus()
  await page.keyboard.type('pott')
  await page.getByRole('dialog').getByText('Pottery class').waitFor()
  expect(await page.getByRole('dialog').getByRole('searchbox').inputValue()).toBe('pott')
  expect(visit.complaints).toEqual([])
})

const places = [
  '',
  '/payments',
  '/payment-links/new',
  '/subscriptions',
  '/payouts',
  '/settlements',
  '/approvals',
  '/developers/keys',
  '/settings',
  '/settings/audit-log',
]

test('nothing is wrong with the look of the pages', async () => {
  const owner = await shop(world())
  const { id } = await paidPayment(world(), owner)
  const visitor = await appVisitor(world(), owner.tenant.businessId)
  const { visit, page, base } = await signedIn(visitor, owner.tenant.businessId, {
    bypassCSP: true,
  })
  await using _ = visit
  const problems: string[] = []
  for (const place of [...places, `/payments/${id}`, `/payments/${id}/refund`]) {
    await page.goto(base + place)
    for (const problem of await lookProblems(page)) problems.push(`${place} ${problem}`)
  }
  expect(problems).toEqual([])
})
