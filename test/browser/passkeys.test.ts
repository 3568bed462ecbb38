// @module-tag long
// Passkeys with the virtual authenticator of Chromium: adding one, signing in with it, proving with
// it again who one is, and removing it.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type AppVisitor, appVisitor } from '../support/app-visitor.ts'
import { useBrowser } from '../support/browser.ts'
import { shop } from '../support/payments.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ isReachable: true, hostname: 'localhost' })
const browser = useBrowser()

async function addAuthenticator(page: Page, isUserVerified = true) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified, automaticPresenceSimulation: true },
    },
  })
  return {
    setVerified: (isVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: isVerified }),
  }
}

async function signedIn(visitor: AppVisitor) {
  const { publicUrl } = world().context
  const visit = await browser.visit(`${publicUrl}/sign-in`)
  const cookies = (visitor.headers().cookie ?? '').split('; ').map((cookie) => {
    const [name = '', ...value] = cookie.split('=')
    return { name, value: value.join('='), url: publicUrl }
  })
  await visit.page.context().addCookies(cookies)
  return visit
}

const age = (personId: string) => world().database.sql`
  update kernel.sessions
  set second_factor_at = second_factor_at - interval '1 hour'
  where person_id = ${personId}`

test('a person adds a passkey, signs in with it, confirms with it, and removes it', async () => {
  const { tenant } = await shop(world())
  const visitor = await appVisitor(world(), tenant.businessId)
  await using visit = await signedIn(visitor)
  const { page } = visit
  const base = `${world().context.publicUrl}/b/${tenant.businessId}`
  const authenticator = await addAuthenticator(page)

  await page.goto(`${base}/account`)
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name').fill('Work laptop')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByText('The passkey Work laptop is added.').waitFor()

  await page.locator('summary', { hasText: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You are signed out.').waitFor()
  await authenticator.setVerified(false)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('The passkey was not used.').waitFor()
  await authenticator.setVerified(true)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL(base)

  await age(visitor.personId)
  await page.goto(`${base}/developers/keys/new`)
  await page.getByRole('heading', { name: 'Confirm that it’s you' }).waitFor()
  await page.getByRole('button', { name: 'Use a passkey instead' }).click()
  await page.getByRole('heading', { name: 'New API key' }).waitFor()

  await page.goto(`${base}/account`)
  await page.getByRole('link', { name: 'Rename' }).click()
  await page.getByLabel('Name').fill('Old laptop')
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('cell', { name: 'Old laptop' }).waitFor()
  await page.getByRole('link', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove passkey' }).click()
  await page.getByText('The passkey Old laptop is removed.').waitFor()

  await page.context().clearCookies()
  await page.goto(`${world().context.publicUrl}/sign-in`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('This passkey was not accepted.').waitFor()
  const acts = await world().database.sql<{ action: string }[]>`
    select action
    from kernel.audit_log
    where actor_id = ${visitor.personId}
      and action like '%passkey'
    order by at, id`
  expect(acts.map(({ action }) => action)).toEqual([
    'person.add_passkey',
    'person.rename_passkey',
    'person.remove_passkey',
  ])
})

test('an answer works once, and only the person it was asked of may give it', async () => {
  const { tenant } = await shop(world())
  const visitor = await appVisitor(world(), tenant.businessId)
  const stranger = await appVisitor(world(), tenant.businessId)
  await using visit = await signedIn(visitor)
  const { page } = visit
  const base = `${world().context.publicUrl}/b/${tenant.businessId}`
  await addAuthenticator(page)
  await page.goto(`${base}/account/passkeys/new`)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByText('is added.').waitFor()

  await age(visitor.personId)
  await age(stranger.personId)
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await page.goto(`${base}/account/backup-codes`)
  await page.getByRole('button', { name: 'Use a passkey instead' }).click()
  const fields = Object.fromEntries(new URLSearchParams((await sent).postData() ?? ''))
  await page.getByRole('heading', { name: 'New backup codes' }).waitFor()

  await age(visitor.personId)
  for (const who of [visitor, stranger]) {
    const answer = await who.post('/account/backup-codes', fields)
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('This passkey was not accepted.')
  }
})
