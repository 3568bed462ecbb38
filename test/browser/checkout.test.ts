// @module-tag long
// The payer's pages in a real browser, on a phone and without JavaScript. The plain case is in
// walk.test.ts.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  desktop,
  lookProblems,
  narrowPhone,
  sidewaysScroll,
  useBrowser,
} from '../support/browser.ts'
import { expectInvariants } from '../support/invariants.ts'
import { lift, pause } from '../support/pauses.ts'
import { cards, onPhone, pay, useCard } from '../support/payer-in-browser.ts'
import { newCode, newLink, paidPayment, payment, shop } from '../support/payments.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ isReachable: true })
const browser = useBrowser()

afterEach(() => expectInvariants(world().database))

test('a declined payer tries again and pays an amount of their choice', async () => {
  const owner = await shop(world())
  const path = await newCode(world(), owner, {
    mode: 'open_amount',
    amount: undefined,
    singleUse: true,
  })
  await using visit = await browser.visit(world().baseUrl + path, onPhone)
  const { page } = visit
  await pay(page, { amount: '1,500' })
  await useCard(page, cards.poor)
  await page.getByRole('heading', { name: 'Not paid' }).waitFor()
  expect(await page.locator('main').innerText()).toContain('not enough money')
  await page.getByRole('link', { name: 'Try again' }).click()
  expect(await page.getByLabel('Your e-mail address').inputValue()).toBe('payer@example.com')
  expect(await page.getByLabel('Amount in NGN').inputValue()).toBe('1,500')
  await pay(page, { amount: '1500' })
  await useCard(page, cards.plain)
  await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor()
  await page.goto(world().baseUrl + path)
  expect(await page.locator('h1').innerText()).toBe('Already paid')
  const { body } = await world().call('GET', '/merchant/api/v1/payments', { key: owner.key })
  expect(body.data.map(({ status }: { status: string }) => status)).toEqual(['succeeded', 'failed'])
})

test.each([
  ['paid', cards.plain, 'success'],
  ['declined', cards.poor, 'cancelled'],
])('a payer who %s arrives at the merchant’s own page on another site', async (_, card, status) => {
  const merchant = await merchantSite()
  const owner = await shop(world())
  const path = await newLink(world(), owner, { returnUrl: `${merchant}/thanks?basket=7` })
  await using visit = await browser.visit(world().baseUrl + path, onPhone)
  const { page } = visit
  await pay(page)
  await useCard(page, card)
  await page.waitForURL(`${merchant}/**`)
  const { body } = await world().call('GET', '/merchant/api/v1/payments', { key: owner.key })
  const query = `basket=7&payment_id=${body.data[0].id}&status=${status}`
  expect(page.url()).toBe(`${merchant}/thanks?${query}`)
  expect(visit.complaints).toEqual([])
})

test('a payer who paid is handed over to the app of the merchant', async () => {
  const path = await newLink(world(), await shop(world()), { returnUrl: 'myapp://return' })
  await using visit = await browser.visit(world().baseUrl + path, onPhone)
  const { page } = visit
  const returned = page.waitForRequest(/\/pay\/return\//)
  await pay(page)
  await useCard(page, cards.plain)
  const response = await (await returned).response()
  expect(response?.headers().location).toMatch(/^myapp:\/\/return\?payment_id=/)
  // The policy of no page on the way has stopped it.
  await expect.poll(() => visit.requests.at(-1)).toMatch(/^myapp:|\/pay\/return\//)
  expect(visit.complaints.filter((text) => text.includes('Content Security Policy'))).toEqual([])
})

test('a payer who turns back at the provider is not charged and can start again', async () => {
  const path = await newLink(world(), await shop(world()))
  await using visit = await browser.visit(world().baseUrl + path, onPhone)
  const { page } = visit
  await pay(page)
  await page.getByRole('button', { name: 'Cancel the payment' }).click()
  await page.getByRole('heading', { name: 'Not paid' }).waitFor()
  await page.getByRole('link', { name: 'Try again' }).waitFor()
})

test('going back and pressing Pay again is the same payment', async () => {
  const owner = await shop(world())
  const path = await newCode(world(), owner, { singleUse: true })
  await using visit = await browser.visit(world().baseUrl + path, onPhone)
  const { page } = visit
  await pay(page)
  const there = page.url()
  await page.goBack()
  await pay(page)
  expect(page.url()).toBe(there)
  const { body } = await world().call('GET', '/merchant/api/v1/payments', { key: owner.key })
  expect(body.data).toHaveLength(1)
})

test('the payer’s browser waits for the bank by itself', async () => {
  const owner = await shop(world())
  const begun = await payment(world(), owner)
  await world().simulator.rule(owner.tenant, {
    operation: 'charge',
    effect: 'succeed_after_timeout',
  })
  await world().simulator.pay(owner.tenant, begun.reference)
  const url = `${world().baseUrl}/pay/return/${begun.reference}?status=successful`
  await using visit = await browser.visit(url, onPhone)
  await visit.page.getByRole('heading', { name: 'Waiting for your bank' }).waitFor()
  const by = { subject: 'charge', reference: begun.reference }
  await world().simulator.control(owner.tenant, 'POST', '/proceed', by)
  await visit.page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor()
})

test('everything that the page needs is below 30 KB, and comes from here', async () => {
  const path = await newLink(world(), await shop(world()), { description: 'word '.repeat(99) })
  await using visit = await browser.visit(world().baseUrl + path, { ...onPhone, untilIdle: true })
  expect(visit.transferredBytes()).toBeGreaterThan(1_000)
  expect(visit.transferredBytes()).toBeLessThan(30_000)
  expect(visit.requests.every((url) => url.startsWith(world().baseUrl))).toBe(true)
})

test('the merchant’s picture counts apart, has its place, and is not waited for', async () => {
  const server = createServer(() => {})
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
  const picture = `http://127.0.0.1:${(server.address() as AddressInfo).port}/chair.png`
  const owner = await shop(world())
  const path = await newLink(world(), owner)
  // The interface takes https alone, which this server does not speak.
  await world().database.sql`
    update merchant.payment_links
    set image_url = ${picture}
    where business_id = ${owner.tenant.businessId}`
  await using visit = await browser.visit('about:blank', onPhone)
  const { page } = visit
  const asked = page.waitForRequest(picture)
  await page.goto(world().baseUrl + path, { waitUntil: 'domcontentloaded' })
  await asked
  const elsewhere = visit.requests.filter((url) => !url.startsWith(world().baseUrl))
  expect(elsewhere.filter((url) => url !== 'about:blank')).toEqual([picture])
  expect(visit.transferredBytes()).toBeLessThan(30_000)
  expect((await page.locator('.picture').boundingBox())?.height).toBe(192)
  expect(await page.getByRole('button', { name: /^Pay/ }).isVisible()).toBe(true)
  expect(visit.complaints).toEqual([])
})

describe('the look', () => {
  const options = { bypassCSP: true, standsStill: true }

  test('of every page of the checkout has no problem', async () => {
    const owner = await shop(world())
    const paths = [
      await newLink(world(), owner, { amount: undefined, presetAmount: 50 }),
      await newCode(world(), owner, { description: 'x'.repeat(140) }),
      `/pay/return/${(await paidPayment(world(), owner)).reference}`,
      `/pay/return/${(await payment(world(), owner)).reference}`,
      await usedCode(),
      await failed(),
    ]
    for (const path of paths) {
      await using visit = await browser.visit(world().baseUrl + path, options)
      expect(await lookProblems(visit.page), path).toEqual([])
    }

    async function usedCode(): Promise<string> {
      const code = await newCode(world(), owner, { singleUse: true })
      await payment(world(), owner, code)
      return code
    }

    async function failed(): Promise<string> {
      const { tenant, reference } = await payment(world(), owner)
      await world().simulator.pay(tenant, reference, 'insufficient_funds')
      return `/pay/return/${reference}`
    }
  })

  test('of what was typed wrong has no problem, and it is marked', async () => {
    const path = await newLink(world(), await shop(world()), { amount: undefined })
    await using visit = await browser.visit(world().baseUrl + path, options)
    const { page } = visit
    await page.getByLabel('Amount in NGN').fill('1.005')
    await page.getByLabel('Your e-mail address').fill('payer@example.com')
    await page.getByRole('button', { name: 'Pay' }).click()
    await page.getByText('NGN has 2 decimals').waitFor()
    expect(await page.getByLabel('Amount in NGN').getAttribute('aria-invalid')).toBe('true')
    expect(await lookProblems(page)).toEqual([])
  })
})

describe('while payments are paused', () => {
  test('the page says when to come back', async () => {
    const path = await newLink(world(), await shop(world()))
    await pause(world(), 'payments')
    onTestFinished(async () => void (await lift(world(), 'payments')))
    const options = { bypassCSP: true, standsStill: true }
    await using visit = await browser.visit(world().baseUrl + path, options)
    const { page } = visit
    expect(await page.locator('h1').innerText()).toBe('Payments are paused')
    const text = await page.locator('.text').innerText()
    expect(text).toMatch(/come back after .*\d{4}.* \d\d:\d\d.*UTC/)
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await lookProblems(page)).toEqual([])
  })

  test('a payer who had the form open is told so, and pays afterwards with the same form', async () => {
    const path = await newLink(world(), await shop(world()))
    await using visit = await browser.visit(world().baseUrl + path, onPhone)
    const { page } = visit
    await pause(world(), 'payments')
    await page.getByLabel('Your e-mail address').fill('payer@example.com')
    await page.getByRole('button', { name: /^Pay/ }).click()
    await page.getByRole('heading', { name: 'Payments are paused' }).waitFor()
    await lift(world(), 'payments')
    await page.getByRole('link', { name: 'Try again' }).click()
    await pay(page)
  })
})

test('an amount stays on one line inside its card, and an image that is missing leaves no hole', async () => {
  const owner = await shop(world())
  const imageUrl = 'https://cdn.invalid/x.png'
  const page = await newLink(world(), owner, { amount: 100_000_000, imageUrl })
  for (const viewport of [narrowPhone, desktop]) {
    await using visit = await browser.visit(world().baseUrl + page, { viewport })
    const lines = await visit.page.evaluate<number[]>(`
      [...document.querySelectorAll('.amount, .button')].map((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        const inside = element.closest('.card').getBoundingClientRect().right - 24
        return range.getBoundingClientRect().right > inside ? 0 : range.getClientRects().length
      })`)
    expect(lines).toEqual([1, 1])
    const shown = "getComputedStyle(document.querySelector('.picture img'), '::after').content"
    expect(await visit.page.evaluate(shown)).toBe('"C"')
  }
})

test('the narrowest phone needs no sideways scrolling', async () => {
  const path = await newLink(world(), await shop(world()), { title: 'W'.repeat(140) })
  await using visit = await browser.visit(world().baseUrl + path, { viewport: narrowPhone })
  expect(await sidewaysScroll(visit.page)).toBe(0)
})

// A site of someone else, on another origin.
async function merchantSite(): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>Thanks</title><link rel="icon" href="data:,">')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}
