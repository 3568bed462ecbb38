// The payer's pages, with the forms as a browser without JavaScript posts them, and once in a real
// browser.
import { describe, expect, test } from 'vitest'
import { lookProblems, narrowPhone, phone, sidewaysScroll, useBrowser } from '../support/browser.ts'
import { type Merchant, useProvider } from './provider.ts'

const provider = useProvider()

type Shown = { status: number; location: string | null; html: string; headers: Headers }

async function open(path: string, form?: Record<string, string>): Promise<Shown> {
  const response = await fetch(provider().pagesUrl + path, {
    method: form ? 'POST' : 'GET',
    ...(form ? { body: new URLSearchParams(form) } : {}),
    redirect: 'manual',
  })
  return {
    status: response.status,
    location: response.headers.get('location'),
    html: await response.text(),
    headers: response.headers,
  }
}

// A payer who presses buttons: follows where each form leads on these pages.
function payerAt(path: string) {
  let page: Shown | undefined
  const hidden = (name: string) =>
    new RegExp(`name="${name}" value="(\\w+)"`).exec(page?.html ?? '')?.[1] ?? ''
  const payer = {
    async look(): Promise<Shown> {
      page = await open(path)
      return page
    },
    async submit(step: string, form: Record<string, string> = {}): Promise<Shown> {
      page ??= await open(path)
      const fields = { attempts: hidden('attempts'), charge: hidden('charge'), ...form }
      page = await open(`${path}/${step}`, fields)
      return page.location === path ? payer.look() : page
    },
  }
  return payer
}

async function openCheckout(shop: Merchant, order: Record<string, unknown> = {}) {
  const { txRef, url } = await shop.link(order)
  return { txRef, path: url.pathname, payer: payerAt(url.pathname) }
}

const cards = {
  pin: '5531886652142950',
  threeDSecure: '5438898014560229',
  noAuth: '5061460166976054667',
  address: '4556052704172643',
  insufficientFunds: '5258585922666506',
  incorrectPin: '5399834697894723',
}

function back(status: string, txRef: string, id?: number): string {
  const charge = id === undefined ? '' : `&transaction_id=${id}`
  return `https://shop.example/back?basket=7&status=${status}&tx_ref=${txRef}${charge}`
}

async function chargeOf(shop: Merchant, txRef: string) {
  const { body } = await shop.call('GET', `/transactions/verify_by_reference?tx_ref=${txRef}`)
  return body.data
}

test('the page says plainly what it is, what is paid, and which cards there are', async () => {
  const shop = await provider().merchant()
  const { payer } = await openCheckout(shop, {
    amount: 1234.5,
    customizations: { title: 'Blue <mug>' },
  })
  const { status, html, headers } = await payer.look()
  expect(status).toBe(200)
  expect(html).toContain('<strong>Simulated provider:</strong> no real money moves.')
  expect(html).toContain('NGN 1,234.50')
  expect(html).toContain('Blue &lt;mug>')
  expect(html.match(/type="radio"/g)).toHaveLength(11)
  expect(html).not.toMatch(/<script|style=/)
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; img-src data:; " +
      "base-uri 'none'; frame-ancestors 'none'",
  )
  expect(headers.get('cache-control')).toBe('no-store')
})

describe('each way to pay', () => {
  test('at once', async () => {
    const shop = await provider().merchant()
    const { txRef, payer } = await openCheckout(shop)
    const { status, location } = await payer.submit('card', { card: cards.noAuth })
    const charge = await chargeOf(shop, txRef)
    expect(status).toBe(303)
    expect(location).toBe(back('successful', txRef, charge.id))
    expect(charge.status).toBe('successful')
  })

  test('with PIN and one-time code, wrong ones first', async () => {
    const shop = await provider().merchant()
    const { txRef, payer } = await openCheckout(shop)
    expect((await payer.submit('card', { card: cards.pin })).html).toContain('Enter the PIN')
    const wrongPin = await payer.submit('pin', { value: '1111' })
    expect(wrongPin.status).toBe(422)
    expect(wrongPin.html).toContain('role="alert">This PIN is wrong')
    expect((await payer.submit('pin', { value: '3310' })).html).toContain('one-time code')
    expect((await payer.submit('otp', { value: '00000' })).status).toBe(422)
    expect((await chargeOf(shop, txRef)).status).toBe('pending')
    const { location } = await payer.submit('otp', { value: '12345' })
    expect(location).toContain('status=successful')
  })

  test('with 3-D Secure, approved and rejected', async () => {
    const shop = await provider().merchant()
    const { payer } = await openCheckout(shop)
    const asked = await payer.submit('card', { card: cards.threeDSecure })
    expect(asked.html).toContain('Confirm with 3-D Secure')
    const rejected = await payer.submit('3ds', { value: 'reject' })
    expect(rejected.html).toContain('declined: 3-D Secure authentication failed')
    await payer.submit('card', { card: cards.threeDSecure })
    expect((await payer.submit('3ds', { value: 'approve' })).location).toContain('successful')
  })

  test('with the billing address', async () => {
    const shop = await provider().merchant()
    const { payer } = await openCheckout(shop)
    const asked = await payer.submit('card', { card: cards.address })
    expect(asked.html).toContain('Enter your billing address')
    expect((await payer.submit('address', { value: ' ' })).status).toBe(422)
    const { location } = await payer.submit('address', { value: '1 Test Street' })
    expect(location).toContain('status=successful')
  })

  test('with a typed number, blanks and all', async () => {
    const shop = await provider().merchant()
    const { payer } = await openCheckout(shop)
    const typed = { card: '5061 4601 6697 6054 667', expiry: '10/29', cvv: '564' }
    expect((await payer.submit('card', typed)).location).toContain('status=successful')
  })
})

test('a number that is no test card is refused, and nowhere stored', async () => {
  const shop = await provider().merchant()
  const { txRef, payer } = await openCheckout(shop)
  const { status, html } = await payer.submit('card', { card: '4111111111111111' })
  expect(status).toBe(422)
  expect(html).toContain('Do not use a real card here.')
  expect(html).not.toContain('4111111111111111')
  expect((await shop.call('GET', `/transactions?tx_ref=${txRef}`)).body.data).toEqual([])
})

describe('a decline', () => {
  test('says why, and lets the payer try as often as the merchant allows', async () => {
    const shop = await provider().merchant()
    const { txRef, payer } = await openCheckout(shop, { max_retry_attempt: 2 })
    const first = await payer.submit('card', { card: cards.insufficientFunds })
    expect(first.html).toContain('declined: Insufficient Funds. You can try one more time.')
    await payer.submit('card', { card: cards.incorrectPin })
    const { location } = await payer.submit('pin', { value: '3310' })
    const charge = await chargeOf(shop, txRef)
    expect(charge.processor_response).toBe('Incorrect PIN')
    expect(location).toBe(back('failed', txRef, charge.id))
    const late = await payer.submit('card', { card: cards.noAuth, attempts: '2' })
    expect(late.location).toContain('status=failed')
    expect((await shop.effects(txRef)).charge).toBe(0)
  })

  test('comes after three wrong PINs', async () => {
    const shop = await provider().merchant()
    const { payer } = await openCheckout(shop)
    await payer.submit('card', { card: cards.pin })
    for (const _ of [1, 2]) await payer.submit('pin', { value: '0000' })
    const third = await payer.submit('pin', { value: '0000' })
    expect(third.html).toContain('declined: Incorrect PIN')
  })
})

describe('a form that comes twice', () => {
  test('charges once: two clicks at the same moment', async () => {
    const shop = await provider().merchant()
    const { txRef, path } = await openCheckout(shop)
    const click = () => open(`${path}/card`, { card: cards.noAuth, attempts: '0' })
    const clicks = await Promise.all(Array.from({ length: 10 }, click))
    expect(new Set(clicks.map(({ location }) => location)).size).toBe(1)
    expect(clicks[0]?.location).toContain('status=successful')
    expect((await shop.effects(txRef)).charge).toBe(1)
    await shop.drain()
    expect(shop.webhooks).toHaveLength(1)
  })

  test('is one attempt: a declined card clicked twice', async () => {
    const shop = await provider().merchant()
    const { txRef, path } = await openCheckout(shop)
    const click = () => open(`${path}/card`, { card: cards.insufficientFunds, attempts: '0' })
    await Promise.all([click(), click()])
    expect((await shop.call('GET', `/transactions?tx_ref=${txRef}`)).body.data).toHaveLength(1)
  })

  test('is one PIN: the second click lands on the next page', async () => {
    const shop = await provider().merchant()
    const { path, payer } = await openCheckout(shop)
    const asked = await payer.submit('card', { card: cards.pin })
    const charge = /name="charge" value="(\d+)"/.exec(asked.html)?.[1] ?? ''
    const click = () => open(`${path}/pin`, { charge, value: '3310' })
    const clicks = await Promise.all([click(), click()])
    expect(clicks.map(({ status }) => status)).toEqual([303, 303])
    expect((await payer.look()).html).toContain('one-time code')
  })
})

test('back and again: another card replaces the one that waits for its PIN', async () => {
  const shop = await provider().merchant()
  const { txRef, path, payer } = await openCheckout(shop)
  await payer.submit('card', { card: cards.pin })
  const { location } = await open(`${path}/card`, { card: cards.noAuth, attempts: '1' })
  expect(location).toContain('status=successful')
  const { body } = await shop.call('GET', `/transactions?tx_ref=${txRef}`)
  expect(body.data.map(({ status }: { status: string }) => status)).toEqual([
    'successful',
    'failed',
  ])
  expect((await shop.effects(txRef)).charge).toBe(1)
})

describe('the end', () => {
  test('a cancelled payment leads back without a transaction, also when reloaded', async () => {
    const shop = await provider().merchant()
    const { txRef, payer } = await openCheckout(shop)
    await payer.submit('card', { card: cards.pin })
    expect((await payer.submit('cancel')).location).toBe(back('cancelled', txRef))
    expect((await payer.look()).location).toBe(back('cancelled', txRef))
    expect((await chargeOf(shop, txRef)).status).toBe('failed')
    const late = await payer.submit('card', { card: cards.noAuth, attempts: '1' })
    expect(late.location).toBe(back('cancelled', txRef))
    expect((await shop.effects(txRef)).charge).toBe(0)
  })

  test('a session ends by the clock, and with it a charge that waits for a code', async () => {
    const shop = await provider().merchant()
    const { txRef, payer } = await openCheckout(shop, { session_duration: 5 })
    await payer.submit('card', { card: cards.pin })
    provider().clock.advance(5 * 60_000)
    const tooLate = await payer.submit('pin', { value: '3310' })
    expect(tooLate.html).toContain('The time for this payment has expired.')
    expect(tooLate.html).toContain('status=cancelled')
    await shop.drain()
    expect(await chargeOf(shop, txRef)).toMatchObject({
      status: 'failed',
      processor_response: 'Session expired',
    })
    expect(shop.webhooks.map(({ body }) => body.data.status)).toEqual(['failed'])
    const again = await payer.submit('card', { card: cards.noAuth, attempts: '1' })
    expect(again.html).toContain('The time for this payment has expired.')
    expect((await shop.effects(txRef)).charge).toBe(0)
  })

  test('a bank that takes its time sends the payer back as pending', async () => {
    const shop = await provider().merchant()
    await shop.rule({ operation: 'charge', effect: 'stay_pending', count: 1 })
    const { txRef, payer } = await openCheckout(shop)
    const { location } = await payer.submit('card', { card: cards.noAuth })
    expect(location).toBe(back('pending', txRef, (await chargeOf(shop, txRef)).id))
  })

  test('without an address to return to, the page tells the outcome', async () => {
    const shop = await provider().merchant()
    const paid = await openCheckout(shop, { redirect_url: undefined })
    expect((await paid.payer.submit('card', { card: cards.noAuth })).html).toContain('Paid')
    const cancelled = await openCheckout(shop, { redirect_url: undefined })
    expect((await cancelled.payer.submit('cancel')).html).toContain('Nothing was charged.')
  })

  test('a second link of a paid reference charges nothing', async () => {
    const shop = await provider().merchant()
    const first = await openCheckout(shop)
    const second = await openCheckout(shop, { tx_ref: first.txRef })
    await first.payer.submit('card', { card: cards.noAuth })
    const { status, html } = await second.payer.submit('card', { card: cards.noAuth })
    expect(status).toBe(422)
    expect(html).toContain('this was already paid')
    expect((await shop.effects(first.txRef)).charge).toBe(1)
  })

  test.each(['/simulator/pay/unknown', '/simulator/pay/018f0000-0000-7000-8000-000000000000'])(
    'there is nothing at %s',
    async (path) => {
      expect((await open(path)).status).toBe(404)
      expect((await open(`${path}/card`, { card: cards.noAuth })).status).toBe(404)
    },
  )
})

describe('in a browser', { tags: ['long'] }, () => {
  const browser = useBrowser()
  // The page that the payer comes back to is served by the pages' own server, as a real shop's is
  // by its own: there is no such path, but the browser arrives with its parameters.
  const shopUrl = () => `${provider().pagesUrl}/shop`

  async function linkFor(shop: Merchant) {
    const { txRef, url } = await shop.link({ redirect_url: shopUrl() })
    return { txRef, url: provider().pagesUrl + url.pathname }
  }

  test('the whole way works without JavaScript at phone width', async () => {
    const shop = await provider().merchant()
    const { txRef, url } = await linkFor(shop)
    const options = { viewport: phone, javaScriptEnabled: false }
    await using visit = await browser.visit(url, options)
    const { page } = visit
    await page.getByLabel('Declined: insufficient funds').check()
    await page.getByRole('button', { name: 'Pay NGN 1,000.00' }).click()
    await page.getByRole('alert').getByText('declined: Insufficient Funds').waitFor()
    await page.getByText('Enter a test card instead').click()
    await page.getByLabel('Card number').fill('5531 8866 5214 2950')
    await page.getByLabel('Expiry date').fill('09/32')
    await page.getByLabel('Security code').fill('564')
    await page.getByRole('button', { name: 'Pay with this card' }).click()
    await page.getByLabel('PIN').fill('3310')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('One-time code').fill('12345')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(/status=successful/)
    expect(page.url()).toContain(`${shopUrl()}?status=successful&tx_ref=${txRef}&transaction_id=`)
    expect((await shop.effects(txRef)).charge).toBe(1)
  })

  test('cancelling leads back to the shop', async () => {
    const shop = await provider().merchant()
    const { url } = await linkFor(shop)
    await using visit = await browser.visit(url, { viewport: phone, javaScriptEnabled: false })
    await visit.page.getByRole('button', { name: 'Cancel the payment' }).click()
    await visit.page.waitForURL(/status=cancelled/)
  })

  test('every step is accessible and fits the screen', async () => {
    const shop = await provider().merchant()
    const { url } = await linkFor(shop)
    await using visit = await browser.visit(url, { bypassCSP: true })
    const { page } = visit
    expect(await lookProblems(page)).toEqual([])
    await page.getByLabel('Succeeds, with PIN and one-time code').first().check()
    await page.getByRole('button', { name: /^Pay NGN/ }).click()
    await page.getByLabel('PIN').fill('1')
    expect(await lookProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('alert').waitFor()
    expect(await lookProblems(page)).toEqual([])
  })

  test('the page keeps to its policy, loads its style, and does not scroll sideways', async () => {
    const shop = await provider().merchant()
    const { url } = await linkFor(shop)
    await using visit = await browser.visit(url, { viewport: narrowPhone, untilIdle: true })
    expect(visit.complaints).toEqual([])
    expect(visit.requests.filter((request) => !request.startsWith('data:'))).toEqual([
      url,
      `${provider().pagesUrl}/simulator/pay.css`,
    ])
    expect(await sidewaysScroll(visit.page)).toBe(0)
    const banner = "getComputedStyle(document.querySelector('header')).backgroundColor"
    expect(await visit.page.evaluate(banner)).toBe('rgb(253, 238, 203)')
    expect(visit.transferredBytes()).toBeLessThan(20_000)
  })
})
