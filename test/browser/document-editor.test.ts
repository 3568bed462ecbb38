// @module-tag long
// The editor of documents in a real browser: pickers by keyboard, and where defaults come from.
import { expect, test } from 'vitest'
import { appVisitor } from '../support/app-visitor.ts'
import { lookProblems, useBrowser } from '../support/browser.ts'
import { newBooks } from '../support/documents.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ isReachable: true })
const browser = useBrowser()

test('an invoice is written by keyboard, with a contact that the page does not list', async () => {
  const books = await newBooks(world())
  for (let index = 0; index < 60; index += 1) {
    const number = String(index).padStart(3, '0')
    await books.contact({ name: `Shop ${number}`, currency: 'EUR', paymentTermsDays: 14 })
    await books.item({
      code: `P-${number}`,
      name: `Part ${number}`,
      salesUnitPrice: '5',
      salesAccountId: books.account('4100'),
    })
  }
  const visitor = await appVisitor(world(), books.businessId)
  await using visit = await browser.visit(`${world().baseUrl}/sign-in`, { bypassCSP: true })
  const { page } = visit
  const cookies = (visitor.headers().cookie ?? '').split('; ').map((cookie) => {
    const [name = '', ...value] = cookie.split('=')
    return { name, value: value.join('='), url: world().baseUrl }
  })
  await page.context().addCookies(cookies)
  await page.goto(`${world().baseUrl}/b/${books.businessId}/invoices/new`)

  await page.getByLabel('Customer').focus()
  await page.keyboard.type('hop 059')
  await page.getByRole('option', { name: 'Shop 059' }).waitFor()
  await page.keyboard.press('Enter')
  expect(await page.getByLabel('Customer').inputValue()).toBe('Shop 059')
  expect(await page.locator('#currency-origin').textContent()).toBe('from the contact')
  expect(await page.locator('#until-origin').textContent()).toContain('from the contact')

  const item = page.getByLabel('Item').first()
  await item.focus()
  await page.keyboard.type('p-05')
  await page.getByRole('option', { name: 'P-059 Part 059' }).waitFor()
  expect(await lookProblems(page)).toEqual([])
  await item.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect(await item.inputValue()).toBe('P-051 Part 051')
  const line = page.getByRole('group', { name: 'Line 1' })
  await line.getByText('from the item').waitFor()
  expect(await line.getByLabel('Description').inputValue()).toBe('Part 051')
  await page.getByText('€5.00').last().waitFor()

  await line.getByLabel('Account').focus()
  await page.keyboard.type('rent')
  await page.keyboard.press('Escape')
  await page.getByRole('option').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+a')
  await page.keyboard.type('4000')
  await page.keyboard.press('Tab')
  expect(await line.getByLabel('Account').inputValue()).toMatch(/^4000 /)
  expect(await line.getByText('from the item').count()).toBe(0)
  await page.getByText('Saved.').waitFor()
  // A save of what is not complete yet is refused, which the browser tells too.
  expect(visit.complaints.filter((text) => !text.includes('400'))).toEqual([])
})
