// @module-tag long
import { expect, test } from 'vitest'
import { services } from '../../src/app/services.ts'
import {
  desktop,
  lookProblems,
  narrowPhone,
  phone,
  sidewaysScroll,
  useBrowser,
} from '../support/browser.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ worker: true })
const browser = useBrowser()

// Everything that a first visit loads, styles included. Later pages load only their own text.
const firstVisitBytesMax = 85_000

test.each(['/', '/no-such-page'])('%s has no problem with its look', async (path) => {
  await using visit = await browser.visit(world().baseUrl + path, { bypassCSP: true })
  expect(await lookProblems(visit.page)).toEqual([])
})

test('the front page names both services, where they are and where they are described', async () => {
  await using visit = await browser.visit(world().baseUrl)
  expect(await visit.page.title()).toBe('Tillbook')
  for (const { title, name, basePath } of services) {
    const card = visit.page.locator('.card', {
      has: visit.page.getByRole('heading', { name: title, exact: true }),
    })
    expect(await card.getByText(`https://tillbook.example${basePath}`).isVisible()).toBe(true)
    await card.getByRole('link', { name: `${title} reference` }).click()
    await visit.page.waitForURL(`${world().baseUrl}/reference/${name}`)
    await visit.page.goBack()
  }
})

test('the front page loads nothing from elsewhere and keeps to its own policy', async () => {
  await using visit = await browser.visit(world().baseUrl, { untilIdle: true })
  expect(visit.complaints).toEqual([])
  expect(visit.requests.length).toBeGreaterThan(3)
  for (const url of visit.requests) expect(url.startsWith(world().baseUrl)).toBe(true)
})

test('a first visit to the front page is light', async () => {
  await using visit = await browser.visit(world().baseUrl, { untilIdle: true })
  expect(visit.transferredBytes()).toBeLessThan(firstVisitBytesMax)
  expect(visit.transferredBytes()).toBeGreaterThan(10_000)
})

test.each(['/', '/no-such-page'])('%s does not scroll sideways on a narrow phone', async (path) => {
  await using visit = await browser.visit(world().baseUrl + path, { viewport: narrowPhone })
  expect(await sidewaysScroll(visit.page)).toBe(0)
})

test.each([
  ['a phone', phone],
  ['a desktop', desktop],
])('no text leaves its card on %s', async (_, viewport) => {
  await using visit = await browser.visit(world().baseUrl, { viewport })
  const leaving = await visit.page.evaluate<string[]>(`
    [...document.querySelectorAll('.card code, .card p, .card dd')]
      .filter((element) => element.getBoundingClientRect().right >
        element.closest('.card').getBoundingClientRect().right)
      .map((element) => element.textContent)`)
  expect(leaving).toEqual([])
})

test('dark mode follows the setting of the system', async () => {
  const background =
    "getComputedStyle(document.body).backgroundColor + ' ' + " +
    "getComputedStyle(document.querySelector('.card')).backgroundColor"
  await using light = await browser.visit(world().baseUrl, { colorScheme: 'light' })
  await using dark = await browser.visit(world().baseUrl, {
    colorScheme: 'dark',
    javaScriptEnabled: false,
  })
  expect(await light.page.evaluate(background)).toBe('rgb(250, 250, 247) rgb(255, 255, 255)')
  expect(await dark.page.evaluate(background)).toBe('rgb(20, 24, 26) rgb(27, 33, 35)')
})

test('the keyboard reaches the content first, and sees where it is', async () => {
  await using visit = await browser.visit(world().baseUrl)
  const { page } = visit
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
  const skipLink = await page.getByRole('link', { name: 'Skip to content' }).boundingBox()
  expect(skipLink?.y).toBeGreaterThanOrEqual(0)
  await page.keyboard.press('Enter')
  // The focus moves with the picture that comes next.
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')

  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Sign in')
})

test('whatever has the focus shows it', async () => {
  await using visit = await browser.visit(world().baseUrl)
  const { page } = visit
  const stops: string[] = []
  const hidden: string[] = []
  for (;;) {
    await page.keyboard.press('Tab')
    const { name, outline } = await page.evaluate<{ name: string; outline: string }>(`({
      name: document.activeElement.tagName + ' ' + document.activeElement.textContent,
      outline: getComputedStyle(document.activeElement).outlineStyle,
    })`)
    if (name.startsWith('BODY')) break
    stops.push(name)
    if (outline === 'none') hidden.push(name)
  }
  expect(stops.length).toBeGreaterThan(8)
  expect(hidden).toEqual([])
})

test('the example call is copied as it stands', async () => {
  await using visit = await browser.visit(world().baseUrl, {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await visit.page.getByRole('button', { name: 'Copy: Merchant payments' }).click()
  await visit.page.getByRole('status').getByText('Copied').waitFor({ state: 'attached' })
  expect(await visit.page.evaluate('navigator.clipboard.readText()')).toBe(
    "curl 'https://tillbook.example/merchant/api/v1/payments' \\\n" +
      "  -H 'Authorization: Bearer svc_live_your_key'",
  )
})

test('without JavaScript the page says the same and offers no button that does nothing', async () => {
  await using plain = await browser.visit(world().baseUrl, { javaScriptEnabled: false })
  await using scripted = await browser.visit(world().baseUrl)
  const copyButtons = (visit: typeof plain) => visit.page.locator('button:visible').count()
  expect(await copyButtons(plain)).toBe(0)
  expect(await copyButtons(scripted)).toBe(services.length)
  const text = (await plain.page.locator('main').innerText()).replaceAll(/\s+/g, ' ')
  const scriptedText = (await scripted.page.locator('main').innerText()).replaceAll(/\s+/g, ' ')
  expect(scriptedText.replaceAll(' Copy ', ' ')).toBe(text)
})

test('the health of each part is told in words', async () => {
  await using visit = await browser.visit(world().baseUrl)
  const told = () => visit.page.locator('#health').innerText()
  const look = async () => {
    await visit.page.reload()
    return told()
  }
  // The worker is up when it has finished its first run.
  await expect.poll(look).toContain('Everything is working.')
  const health = await told()
  expect(health).toMatch(/API\s+Up/)
  expect(health).toMatch(/Database\s+Up/)
  expect(health).toMatch(/Background work\s+Up/)
})
