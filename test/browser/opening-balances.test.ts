// @module-tag long
// The grid of opening balances in a real browser: totals while one types.
import { expect, test } from 'vitest'
import { appVisitor } from '../support/app-visitor.ts'
import { useBrowser } from '../support/browser.ts'
import { newBooks } from '../support/documents.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ isReachable: true })
const browser = useBrowser()

test('says while one types what is missing to balance', async () => {
  const { businessId } = await newBooks(world())
  const visitor = await appVisitor(world(), businessId)
  await using visit = await browser.visit(`${world().baseUrl}/sign-in`)
  const { page } = visit
  const cookies = (visitor.headers().cookie ?? '').split('; ').map((cookie) => {
    const [name = '', ...value] = cookie.split('=')
    return { name, value: value.join('='), url: world().baseUrl }
  })
  await page.context().addCookies(cookies)
  await page.goto(`${world().baseUrl}/b/${businessId}/journal/opening-balances`)
  const totals = page.locator('tfoot')
  await totals.getByText('Nothing entered yet').waitFor()
  await page.getByLabel('Debit 1000').pressSequentially('1,500')
  await page.getByLabel('Credit 3000').pressSequentially('1200.50')
  await totals.getByText('Missing to balance').waitFor()
  await expect
    .poll(() => totals.locator('[data-of=credit]').allTextContents())
    .toMatchObject([expect.stringMatching(/1,200\.50$/), expect.stringMatching(/299\.50$/)])
  await page.getByLabel('Credit 3000').fill('1500')
  await totals.getByText('Balanced').waitFor()
  expect(visit.complaints).toEqual([])
})
