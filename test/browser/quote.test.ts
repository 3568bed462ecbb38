// @module-tag long
// A customer views and answers a quote, on a phone and without JavaScript.
import { beforeAll, expect, test } from 'vitest'
import { createQuote } from '../../src/books/quotes/create-quote.ts'
import { quotePath } from '../../src/books/quotes/quote.ts'
import { findQuote } from '../../src/books/quotes/quote-store.ts'
import { reviseQuote } from '../../src/books/quotes/revise-quote.ts'
import { sendQuote } from '../../src/books/quotes/send-quote.ts'
import { createTaxCode } from '../../src/books/taxes/create-tax-code.ts'
import type { Actor } from '../../src/kernel/auth/actor.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import { lookProblems, narrowPhone, phone, sidewaysScroll, useBrowser } from '../support/browser.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ isReachable: true })
const browser = useBrowser()
const onPhone = { viewport: phone, isMobile: true, hasTouch: true, javaScriptEnabled: false }

let actor: Actor
let contactId: string
let taxCodeId: string

beforeAll(async () => {
  const key = await world().key({ service: 'books' })
  actor = { kind: 'system', name: 'test', businessId: key.businessId, environment: 'live' }
  const body = { name: 'Ada Example' }
  const path = '/books/api/v1/contacts'
  contactId = (await world().call('POST', path, { key: key.text, body })).body.id
  const components = [{ name: 'VAT', rate: '19' }]
  taxCodeId = (
    await runOperation(createTaxCode, world().context, actor, { name: 'VAT 19', components })
  ).id
})

async function sentQuote(description = 'A widget') {
  const { context } = world()
  const line = { description, quantity: '2', unitPrice: '50.25', taxCodeId }
  const { id } = await runOperation(createQuote, context, actor, {
    contactId,
    currency: 'EUR',
    notes: 'Delivered within a week.\nFree of charge.',
    lines: [line, { ...line, description: 'A gadget', discountPct: '10' }],
  })
  const { publicId, number } = await runOperation(sendQuote, context, actor, {
    id,
    isMailed: false,
  })
  return { id, number, url: world().baseUrl + quotePath(actor, publicId ?? '') }
}

const stored = async (id: string) => findQuote(world().database.sql, actor, id)

test('a customer reads the offer and accepts it', async () => {
  const { id, number, url } = await sentQuote()
  await using visit = await browser.visit(url, onPhone)
  const { page } = visit
  await page.getByRole('heading', { name: `Quote ${number}`, level: 1 }).waitFor()
  const text = await page.locator('main').innerText()
  // 100.50 and 90.45, with 19.10 and 17.19 of tax.
  for (const part of ['A widget', 'A gadget', 'less 10 %', '190.95', '36.29', 'EUR 227.24']) {
    expect(text).toContain(part)
  }
  await page.getByRole('button', { name: 'Accept this quote' }).click()
  await page.getByRole('alert').getByText('Enter your name').waitFor()
  await page.getByLabel('Your name').fill('Ada Example')
  await page.getByRole('button', { name: 'Accept this quote' }).click()
  await page.getByText('Accepted by Ada Example.').waitFor()
  expect(await page.getByRole('button').count()).toBe(0)
  expect(await stored(id)).toMatchObject({ status: 'accepted', decidedByName: 'Ada Example' })
  expect(visit.complaints.filter((text) => !text.includes('422'))).toEqual([])
})

test('a customer declines with a reason', async () => {
  const { id, url } = await sentQuote()
  await using visit = await browser.visit(url, onPhone)
  const { page } = visit
  await page.getByText('Decline instead').click()
  await page.getByLabel('Reason').fill('Too dear')
  await page.getByRole('button', { name: 'Decline this quote' }).click()
  await page.getByText('Declined.').waitFor()
  expect(await stored(id)).toMatchObject({ status: 'declined', declineReason: 'Too dear' })
})

test('a page that was open while the quote was answered elsewhere says so', async () => {
  const { id, url } = await sentQuote()
  await using late = await browser.visit(url, onPhone)
  await using early = await browser.visit(url, onPhone)
  await early.page.getByLabel('Your name').fill('Ada')
  await early.page.getByRole('button', { name: 'Accept this quote' }).click()
  await early.page.getByText('Accepted by Ada.').waitFor()
  await late.page.getByText('Decline instead').click()
  await late.page.getByRole('button', { name: 'Decline this quote' }).click()
  await late.page.getByText('Accepted by Ada.').waitFor()
  expect(await stored(id)).toMatchObject({ status: 'accepted' })
})

test('the offer is there as a PDF', async () => {
  const { number, url } = await sentQuote()
  const answer = await fetch(`${url}/pdf`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  expect(answer.headers.get('content-disposition')).toContain(`${number}.pdf`)
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect(bytes.length).toBeGreaterThan(5000)
})

test('the page of a quote that was taken back is gone, as is one that never was', async () => {
  const { id, url } = await sentQuote()
  await runOperation(reviseQuote, world().context, actor, { id })
  for (const address of [url, `${world().baseUrl}/quotes/nonsense`]) {
    const answer = await fetch(address, { headers: { accept: 'text/html' } })
    expect(answer.status).toBe(404)
    expect(await answer.text()).not.toContain('site-nav')
  }
})

test('nothing is wrong with the look of the page', async () => {
  const { url } = await sentQuote()
  await using visit = await browser.visit(url, { bypassCSP: true })
  const { page } = visit
  expect(await lookProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Accept this quote' }).click()
  await page.getByRole('alert').waitFor()
  expect(await lookProblems(page)).toEqual([])
  await page.getByLabel('Your name').fill('Ada')
  await page.getByRole('button', { name: 'Accept this quote' }).click()
  await page.getByText('Accepted by Ada.').waitFor()
  expect(await lookProblems(page)).toEqual([])
})

test('the narrowest phone needs no sideways scrolling, whatever is offered', async () => {
  const { url } = await sentQuote('W'.repeat(300))
  await using visit = await browser.visit(url, { viewport: narrowPhone })
  expect(await sidewaysScroll(visit.page)).toBe(0)
})
