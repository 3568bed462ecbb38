// @module-tag long
// The owner's way to a verified business in a browser, on a phone and without JavaScript.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { lookProblems, narrowPhone, phone, sidewaysScroll, useBrowser } from '../support/browser.ts'
import {
  type Applicant,
  applicant,
  apply,
  checkIdentity,
  details,
  fillDossier,
  jpeg,
  owner,
  pdf,
  png,
  resolve,
  submit,
} from '../support/verification.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ isReachable: true })
const browser = useBrowser()

const onPhone = { viewport: phone, isMobile: true, hasTouch: true, javaScriptEnabled: false }

async function heading(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { name, level: 1 }).waitFor()
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()

async function fillDetails(page: Page, legalName = details.legalName): Promise<void> {
  await heading(page, 'Business details')
  await page.getByLabel('Registered name').fill(legalName)
  await page.getByLabel('Kind of business').selectOption('company')
  await page.getByLabel('Registration number').fill(details.registrationNumber)
  await page.getByLabel('Street and number').fill(details.street)
  await page.getByLabel('Town or city').fill(details.city)
  await page.getByLabel('What the business does').fill(details.activity)
  await press(page, 'Save and continue')
}

async function uploadAll(page: Page): Promise<void> {
  await heading(page, 'Documents')
  const files = [
    ['certificate of registration', 'certificate.pdf', pdf],
    ['proof of address', 'bill.png', png],
    ['passport or identity card', 'card.jpg', jpeg],
  ] as const
  const choose = async (wanted: readonly (typeof files)[number][]) => {
    for (const [title, name, buffer] of wanted) {
      const file = { name, mimeType: 'application/octet-stream', buffer }
      await page.getByLabel(`File: ${title}`).setInputFiles(file)
    }
    await press(page, 'Upload and stay here')
    for (const [, name] of files) await page.getByText(name).waitFor()
  }
  await choose(files)
  await press(page, 'Remove bill.png').then(() => heading(page, 'Documents'))
  await page.getByText('2 of at most').waitFor()
  const [, [title, name, buffer]] = files
  const file = { name, mimeType: 'application/octet-stream', buffer }
  await page.getByLabel(`File: ${title}`).setInputFiles(file)
  await press(page, 'Continue')
}

async function addOwner(page: Page): Promise<void> {
  await heading(page, 'Owners')
  await page.getByLabel('Full name').fill(owner.name)
  await page.getByLabel('Date of birth').fill(owner.bornOn)
  await page.getByLabel('Share in percent').fill(owner.share)
  await press(page, 'Add owner')
  await page.getByText('60 of 100 % entered').waitFor()
  await follow(page, 'Continue')
}

async function proveIdentity(page: Page, button = 'Pass the check'): Promise<void> {
  await heading(page, 'Identity check')
  await page.getByLabel(owner.name).check()
  await press(page, /^(Start the check|Try again)$/)
  await page.getByText('look into the camera').waitFor()
  await press(page, button)
}

async function submitAll(page: Page): Promise<void> {
  await heading(page, 'Check and submit')
  await page.getByLabel('Everything here is true and complete').check()
  await press(page, 'Submit')
  await heading(page, 'We are checking your application')
}

// covers: the business owner completes a hosted identity
test('an owner has the business verified', async () => {
  const one = await applicant(world())
  await using visit = await browser.visit(world().baseUrl + one.path, onPhone)
  const { page } = visit
  await fillDetails(page)
  await uploadAll(page)
  await addOwner(page)
  await proveIdentity(page)
  await submitAll(page)
  expect(await one.account()).toMatchObject({ kyc_status: 'pending', documents_submitted: 3 })
  await resolve(world())
  // The page looks again by itself.
  await heading(page, 'Your business is verified')
  expect(await one.account()).toMatchObject({
    kyc_status: 'verified',
    beneficial_owners_verified: 1,
  })
  expect(visit.complaints).toEqual([])
  expect(visit.requests.every((url) => url.startsWith(world().baseUrl))).toBe(true)
})

test('a rejected owner sees why, goes back, corrects it and is verified', async () => {
  const one = await applicant(world())
  await using visit = await browser.visit(world().baseUrl + one.path, onPhone)
  const { page } = visit
  await fillDetails(page, 'Reject Me')
  await uploadAll(page)
  await addOwner(page)
  await proveIdentity(page, 'Fail the check')
  await page.getByText('The check failed').waitFor()
  await proveIdentity(page)
  await submitAll(page)
  await resolve(world())
  await heading(page, 'Your application was rejected')
  await page.getByText('could not be read').waitFor()
  await press(page, 'Correct and submit again')
  await page.getByText('The last application was rejected.').waitFor()
  await page.getByRole('link', { name: 'Business details (done)' }).click()
  await fillDetails(page)
  await page.goto(`${page.url().replace(/\/\w+$/, '')}/identity`)
  await proveIdentity(page)
  await page.getByRole('link', { name: 'Change: business details' }).click()
  await heading(page, 'Business details')
  expect(await page.getByLabel('Registered name').inputValue()).toBe(details.legalName)
  await page.goBack()
  await submitAll(page)
  await resolve(world())
  await heading(page, 'Your business is verified')
  expect(visit.complaints).toEqual([])
})

test('what was typed wrong is said beside the field, and the rest stays', async () => {
  const one = await applicant(world())
  await using visit = await browser.visit(`${world().baseUrl}${one.path}/details`, onPhone)
  const { page } = visit
  await page.getByLabel('Town or city').fill('Lagos')
  await press(page, 'Save and continue')
  const street = page.getByLabel('Street and number')
  await page.getByRole('link', { name: 'Enter the street and number' }).click()
  expect(await street.getAttribute('aria-invalid')).toBe('true')
  expect(await page.getByLabel('Town or city').inputValue()).toBe('Lagos')
  await page.goto(`${world().baseUrl}${one.path}/documents`)
  const file = { name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('no PDF') }
  await page.getByLabel('File: proof of address').setInputFiles(file)
  await press(page, 'Upload and stay here')
  await page.locator('#file-address-error').waitFor()
  const large = { ...file, buffer: Buffer.alloc(12 * 1024 * 1024, pdf) }
  await page.getByLabel('File: proof of address').setInputFiles(large)
  await press(page, 'Upload and stay here')
  await page.locator('#file-address-error', { hasText: 'at most 5 MB' }).waitFor()
})

test('the keyboard alone reaches and presses everything on a step', async () => {
  const one = await applicant(world())
  await one.post('/owners', owner)
  await using visit = await browser.visit(`${world().baseUrl}${one.path}/owners`, onPhone)
  const { page } = visit
  await page.getByLabel('Full name').focus()
  await page.keyboard.type('Bola Ade')
  await page.getByLabel('Share in percent').focus()
  await page.keyboard.type('40')
  await page.keyboard.press('Enter')
  await page.locator('#bornOn-error').waitFor()
  expect(await page.getByLabel('Full name').inputValue()).toBe('Bola Ade')
})

const fixtures: readonly (readonly [string, () => Promise<[Applicant, string]>])[] = [
  ['details', async () => [await applicant(world()), '/details']],
  ['documents', async () => [await filled(), '/documents']],
  ['owners', async () => [await filled(), '/owners']],
  ['identity', async () => [await filled(), '/identity']],
  ['identity passed', async () => [await checked(), '/identity']],
  ['review, with things missing', async () => [await applicant(world()), '/review']],
  ['review', async () => [await checked(), '/review']],
  ['submitted', async () => [await submitted(), '/status']],
  ['rejected', async () => [await decided('Reject Me'), '/status']],
  ['verified', async () => [await decided('Good'), '/status']],
]

async function filled(): Promise<Applicant> {
  const one = await applicant(world())
  await fillDossier(one)
  return one
}

async function checked(): Promise<Applicant> {
  const one = await filled()
  await checkIdentity(one)
  return one
}

async function submitted(): Promise<Applicant> {
  const one = await checked()
  await submit(one)
  return one
}

async function decided(legalName: string): Promise<Applicant> {
  const one = await applicant(world())
  await apply(one, { legalName })
  return one
}

describe('the look', () => {
  const options = { bypassCSP: true }

  test.each(fixtures)('of the page "%s" has no problem', async (_, make) => {
    const [one, path] = await make()
    await using visit = await browser.visit(world().baseUrl + one.path + path, options)
    expect(await lookProblems(visit.page)).toEqual([])
  })

  test('of pages with errors and of the verifier’s own page has no problem', async () => {
    const one = await filled()
    await using visit = await browser.visit(`${world().baseUrl}${one.path}/details`, options)
    const { page } = visit
    await page.getByLabel('Registered name').fill('')
    await page.getByLabel('Street and number').fill('')
    await press(page, 'Save and continue')
    await page.locator('#street-error').waitFor()
    expect(await lookProblems(page)).toEqual([])
    await page.goto(`${world().baseUrl}${one.path}/identity`)
    await press(page, 'Start the check')
    await page.getByText('look into the camera').waitFor()
    expect(await lookProblems(page)).toEqual([])
  })
})

test('the narrowest phone needs no sideways scrolling', async () => {
  const one = await applicant(world())
  await one.upload('address', pdf, `${'W'.repeat(96)}.pdf`)
  await one.post('/owners', { ...owner, name: 'W'.repeat(160) })
  for (const path of ['/details', '/documents', '/owners', '/identity', '/review']) {
    const url = world().baseUrl + one.path + path
    await using visit = await browser.visit(url, { viewport: narrowPhone })
    expect(await sidewaysScroll(visit.page), path).toBe(0)
  }
})
