// One walk through the pages in a real browser, for everyday runs: a payer pays a link on a phone
// and without JavaScript, and the page has no visual defects. The other files here cover every
// page.
import { afterEach, expect, test } from 'vitest'
import { lookProblems, useBrowser } from '../support/browser.ts'
import { expectInvariants } from '../support/invariants.ts'
import { cards, onPhone, pay, useCard } from '../support/payer-in-browser.ts'
import { newLink, shop } from '../support/payments.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ isReachable: true })
const browser = useBrowser()

afterEach(() => expectInvariants(world().database))

test('a payer pays a link with a PIN and a code, and sees that it was paid', async () => {
  const owner = await shop(world())
  const path = await newLink(world(), owner)
  await using visit = await browser.visit(world().baseUrl + path, onPhone)
  const { page } = visit
  expect(await page.locator('h1').innerText()).toBe('Order 1001')
  await pay(page)
  await useCard(page, cards.pin)
  await page.getByLabel('PIN').fill('3310')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('One-time code').fill('12345')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor()
  expect(await page.locator('main').innerText()).toContain('₦1,000.00')
  expect(visit.complaints).toEqual([])
  const { body } = await world().call('GET', '/merchant/api/v1/payments', { key: owner.key })
  expect(body.data).toMatchObject([{ status: 'succeeded', amount: 100_000 }])
})

test('nothing is wrong with the look of the page', async () => {
  const path = await newLink(world(), await shop(world()))
  await using visit = await browser.visit(world().baseUrl + path, { bypassCSP: true })
  expect(await lookProblems(visit.page)).toEqual([])
})
