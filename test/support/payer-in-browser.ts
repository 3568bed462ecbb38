// A payer in a real browser, on a phone and without JavaScript.
import type { Page } from 'playwright-core'
import { phone } from './browser.ts'

export const onPhone = { viewport: phone, isMobile: true, hasTouch: true, javaScriptEnabled: false }

// What the payer does on our page, up to the provider's.
export async function pay(page: Page, fields: { amount?: string } = {}): Promise<void> {
  if (fields.amount) await page.getByLabel('Amount in NGN').fill(fields.amount)
  await page.getByLabel('Your e-mail address').fill('payer@example.com')
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.getByText('Choose a test card').waitFor()
}

export async function useCard(page: Page, number: string): Promise<void> {
  await page.locator(`input[value="${number}"]`).check()
  await page.getByRole('button', { name: /^Pay NGN/ }).click()
}

export const cards = {
  plain: '5061460166976054667',
  pin: '5531886652142950',
  poor: '5258585922666506',
}
