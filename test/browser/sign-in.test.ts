// @module-tag long
import type { FastifyInstance } from 'fastify'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/kernel/http/app.ts'
import { createHealth } from '../../src/kernel/http/health.ts'
import { createMetrics } from '../../src/kernel/http/metrics.ts'
import { loadAssets } from '../../src/kernel/web/assets.ts'
import { createErrorPage } from '../../src/kernel/web/error-page.tsx'
import { mountPages } from '../../src/kernel/web/mount-pages.ts'
import { createSite, publicPages } from '../../src/web/public/public-pages.ts'
import { lookProblems, useBrowser } from '../support/browser.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { generousLimits } from '../support/page-limits.ts'
import { type PeopleWorld, password, peopleWorld, person } from '../support/people.ts'
import { freePort } from '../support/processes.ts'

let database: TestDatabase
let world: PeopleWorld
let server: FastifyInstance
let baseUrl: string
const browser = useBrowser()

beforeAll(async () => {
  database = await createDatabase()
  // The pages must know their address, and the port is known only once the server listens.
  const port = await freePort()
  baseUrl = `http://localhost:${port}`
  world = await peopleWorld(database, { publicUrl: baseUrl })
  const site = createSite([], baseUrl, loadAssets())
  server = createApp(world.context, createMetrics(), createErrorPage(site, []))
  const front = publicPages({
    ...{ services: [], health: createHealth(world.context), publicUrl: baseUrl, isDemo: false },
    listPauses: async () => [],
    findSession: world.people.findSession,
  })
  await mountPages(server, [...front, ...world.pages], {
    site,
    addressOf: () => '127.0.0.1',
    log: world.context.log,
    limits: generousLimits(),
  })
  await server.listen({ port, host: 'localhost' })
})
afterAll(async () => {
  await server.close()
  await database.drop()
})

async function submitPassword(page: Page, email: string, typed = password): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(typed)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function submitCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code').fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
}

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s, a person', (_, javaScriptEnabled) => {
  test('signs in with password and code, and out again', async () => {
    const who = await person(world, { name: 'Ada Lovelace' })
    await using visit = await browser.visit(`${baseUrl}/home`, { javaScriptEnabled })
    const { page } = visit
    expect(page.url()).toBe(`${baseUrl}/sign-in?next=%2Fhome`)
    await submitPassword(page, who.email)
    await page.waitForURL(`${baseUrl}/sign-in/code?next=%2Fhome`)
    await submitCode(page, who.code())
    await page.waitForURL(`${baseUrl}/home`)
    const main = page.getByRole('main')
    expect(await main.textContent()).toContain(`Signed in as Ada Lovelace (${who.email}).`)
    expect(await page.getByRole('banner').getByRole('link', { name: 'Home' }).count()).toBe(1)
    expect(await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${baseUrl}/sign-in?out=1`)
    expect(await page.getByRole('status').textContent()).toBe('You are signed out.')
    await page.goto(`${baseUrl}/home`)
    expect(page.url()).toBe(`${baseUrl}/sign-in?next=%2Fhome`)
    expect(visit.complaints).toEqual([])
  })

  test('is told on the front page and on error pages that they are signed in', async () => {
    const who = await person(world, { name: 'Ada Lovelace' })
    await using visit = await browser.visit(baseUrl, { javaScriptEnabled })
    const { page } = visit
    const main = page.getByRole('main')
    await main.getByRole('link', { name: 'Sign in' }).click()
    await submitPassword(page, who.email)
    await page.waitForURL(`${baseUrl}/sign-in/code`)
    await submitCode(page, who.code())
    await page.waitForURL(`${baseUrl}/home`)
    for (const path of ['/', '/no-such-page']) {
      await page.goto(baseUrl + path)
      expect(await page.getByRole('link', { name: 'Sign in' }).count()).toBe(0)
      expect(await page.getByRole('banner').getByRole('link', { name: 'Home' }).count()).toBe(1)
    }
    await page.goto(baseUrl)
    expect(await main.textContent()).toContain(`Signed in as Ada Lovelace (${who.email}).`)
    await main.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${baseUrl}/sign-in?out=1`)
    await page.goto(baseUrl)
    expect(await main.getByRole('link', { name: 'Sign in' }).count()).toBe(1)
  })

  test('hears what was wrong, and keeps the typed address', async () => {
    const who = await person(world)
    await using visit = await browser.visit(`${baseUrl}/sign-in`, { javaScriptEnabled })
    const { page } = visit
    await submitPassword(page, who.email, 'not the password')
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').textContent()).toBe('Wrong e-mail or password.')
    expect(await page.getByLabel('E-mail').inputValue()).toBe(who.email)
    expect(await page.getByLabel('Password').inputValue()).toBe('')
    await submitPassword(page, who.email)
    await page.waitForURL(`${baseUrl}/sign-in/code`)
    await submitCode(page, '000000')
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').textContent()).toContain('This code is wrong')
    await submitCode(page, who.code())
    await page.waitForURL(`${baseUrl}/home`)
  })
})

test('the keyboard is enough', async () => {
  const who = await person(world)
  await using visit = await browser.visit(`${baseUrl}/sign-in`)
  const { page } = visit
  const focused = () => page.evaluate<string>('document.activeElement.id')
  // What a page gives the focus by itself has it with its first picture, a moment later.
  const focuses = (id: string) => expect.poll(focused).toBe(id)
  await focuses('email')
  await page.keyboard.type(who.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type('not the password')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  await focuses('error')
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('email')
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${baseUrl}/sign-in/code`)
  await focuses('code')
  await page.keyboard.type(who.code())
  await page.keyboard.press('Enter')
  await page.waitForURL(`${baseUrl}/home`)
})

test('a form on another site signs no one in', async () => {
  const who = await person(world, { totp: false })
  const form = `
    <form method="post" action="${baseUrl}/sign-in">
      <input name="email" value="${who.email}"><input name="password" value="${password}">
      <button>Win a prize</button>
    </form>`
  await using visit = await browser.visit(`data:text/html,${encodeURIComponent(form)}`)
  const { page } = visit
  const [answer] = await Promise.all([
    page.waitForResponse(`${baseUrl}/sign-in`),
    page.getByRole('button').click(),
  ])
  expect(answer.status()).toBe(403)
  expect(await page.context().cookies()).toEqual([])
  await page.getByText('This request came from another site and was refused.').waitFor()
})

test('the cookie is out of reach for scripts and for other sites', async () => {
  const who = await person(world, { totp: false })
  await using visit = await browser.visit(`${baseUrl}/sign-in`)
  await submitPassword(visit.page, who.email)
  await visit.page.waitForURL(`${baseUrl}/home`)
  expect(await visit.page.context().cookies()).toMatchObject([
    { name: 'tillbook.session_token', httpOnly: true, sameSite: 'Lax', path: '/' },
    {
      name: expect.stringMatching(/^tillbook\.device_/),
      ...{ httpOnly: true, sameSite: 'Lax', path: '/' },
    },
  ])
  expect(await visit.page.evaluate('document.cookie')).toBe('')
})

test('nothing is wrong with the look of any page', async () => {
  const who = await person(world, { totp: false })
  const twoFactors = await person(world)
  await using visit = await browser.visit(`${baseUrl}/sign-in`, { bypassCSP: true })
  const { page } = visit
  const inspect = async () => expect(await lookProblems(page)).toEqual([])
  await inspect()
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await boundaryContrast(page)).toBeGreaterThan(3)
  }
  await submitPassword(page, who.email, 'not the password')
  await page.getByRole('alert').waitFor()
  await inspect()
  await submitPassword(page, twoFactors.email)
  await page.waitForURL(`${baseUrl}/sign-in/code`)
  await inspect()
  await submitCode(page, 'wrong')
  await page.getByRole('alert').waitFor()
  await inspect()
  await page.getByRole('link', { name: 'Sign in with another account' }).click()
  await submitPassword(page, who.email)
  await page.waitForURL(`${baseUrl}/home`)
  await inspect()
})

// Of the border of a field that has not the focus, to the ground it stands on, as WCAG counts.
async function boundaryContrast(page: Page): Promise<number> {
  return page.evaluate(`(() => {
    const luminance = (colour) => {
      const [red, green, blue] = colour.match(/[\\d.]+/g).map((part) => {
        const share = Number(part) / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const field = document.querySelector('#password')
    const border = luminance(getComputedStyle(field).borderTopColor)
    const ground = luminance(getComputedStyle(field.closest('.card')).backgroundColor)
    return (Math.max(border, ground) + 0.05) / (Math.min(border, ground) + 0.05)
  })()`)
}
