import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertBusiness } from '../../../src/kernel/auth/business-store.ts'
import type { PageAnswer } from '../../../src/kernel/web/page.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import {
  browser,
  freezeTime,
  type PeopleWorld,
  peopleWorld,
  person,
  signedIn,
} from '../../support/people.ts'
import { handOut } from '../../support/run-log.ts'

let database: TestDatabase
let world: PeopleWorld
let demoOwner: string

beforeAll(async () => {
  database = await createDatabase()
  world = await peopleWorld(database, { publicUrl: 'http://127.0.0.1:4000' })
  demoOwner = await ownerOf({ isDemo: true })
})
afterAll(() => database.drop())

test('the button signs the owner of the demo in once, with the second factor', async () => {
  const code = await issued()
  const visitor = browser(world)
  const page = await visitor.get(`/sign-in/demo?code=${code}`)
  expect(page.status).toBe(200)
  expect(html(page)).toContain('Sign in as the demo’s owner')
  expect(await world.people.findSession(visitor.headers())).toBeUndefined()

  const answer = await visitor.post('/sign-in/demo', { code })
  expect(answer).toMatchObject({ status: 303, headers: { location: '/home' } })
  const session = await world.people.findSession(visitor.headers())
  expect(session).toMatchObject({ personId: demoOwner, secondFactor: 'proven' })

  const again = await browser(world).post('/sign-in/demo', { code })
  expect(again.status).toBe(410)
  expect((await browser(world).get(`/sign-in/demo?code=${code}`)).status).toBe(410)
})

test('a second click on the button leads on', async () => {
  const code = await issued()
  const visitor = browser(world)
  await visitor.post('/sign-in/demo', { code })
  expect(await visitor.post('/sign-in/demo', { code })).toMatchObject({ status: 303 })
  expect(await visitor.get(`/sign-in/demo?code=${code}`)).toMatchObject({ status: 303 })
})

test('of two browsers with one link, one is signed in', async () => {
  const code = await issued()
  const visitors = [browser(world), browser(world)]
  const answers = await Promise.all(visitors.map((one) => one.post('/sign-in/demo', { code })))
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 410])
})

test('the session that the browser had ends', async () => {
  const visitor = await signedIn(world, await person(world))
  const before = visitor.headers()
  await visitor.post('/sign-in/demo', { code: await issued() })
  expect(await world.people.findSession(before)).toBeUndefined()
  const session = await world.people.findSession(visitor.headers())
  expect(session?.personId).toBe(demoOwner)
})

test('the link ends after ten minutes', async () => {
  const time = freezeTime()
  const code = await issued()
  time.advance(10 * 60 - 1)
  expect((await browser(world).get(`/sign-in/demo?code=${code}`)).status).toBe(200)
  time.advance(1)
  const late = browser(world)
  expect((await late.get(`/sign-in/demo?code=${code}`)).status).toBe(410)
  expect((await late.post('/sign-in/demo', { code })).status).toBe(410)
  expect(await world.people.findSession(late.headers())).toBeUndefined()
})

test.each([
  ['x-forwarded-for', '203.0.113.9'],
  ['X-Forwarded-Proto', 'https'],
  ['Forwarded', 'for=203.0.113.9'],
  ['Via', '1.1 proxy.example'],
])('a request with %s is refused, and does not use the link up', async (name, value) => {
  const code = await issued()
  const visitor = browser(world)
  const refused = await visitor.post('/sign-in/demo', { code }, { [name]: value })
  expect(refused.status).toBe(403)
  expect(html(refused)).toContain('without a proxy')
  expect(await world.people.findSession(visitor.headers())).toBeUndefined()
  expect(await visitor.post('/sign-in/demo', { code })).toMatchObject({ status: 303 })
})

test('a wrong code signs no one in', async () => {
  const visitor = browser(world)
  expect((await visitor.get('/sign-in/demo')).status).toBe(410)
  expect((await visitor.post('/sign-in/demo', { code: 'guess' })).status).toBe(410)
})

test('only a hash of the code is stored', async () => {
  const code = await issued()
  const rows = await database.sql`select identifier, value from kernel.verifications`
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toContain(code)
})

test('a public address gets no link and no page', async () => {
  const elsewhere = await peopleWorld(database, { publicUrl: 'https://pay.example.com' })
  expect(await elsewhere.people.signInLinks.issue()).toBeUndefined()
  expect(elsewhere.pages.map(({ path }) => path)).not.toContain('/sign-in/demo')
})

test('an owner who joins a business that is no demo gets no link, and a printed one ends', async () => {
  const code = await issued()
  await ownerOf({ isDemo: false }, demoOwner)
  expect(await world.people.signInLinks.issue()).toBeUndefined()
  expect((await browser(world).post('/sign-in/demo', { code })).status).toBe(410)
})

async function ownerOf({ isDemo }: { isDemo: boolean }, known?: string): Promise<string> {
  const personId = known ?? (await person(world)).personId
  const id = world.context.ids.uuid()
  await database.transaction(async (tx) => {
    await insertBusiness(tx, { id, name: 'Corner shop', isDemo, createdAt: new Date() })
    await world.people.addMembership(tx, id, personId, 'owner')
  })
  return personId
}

async function issued(): Promise<string> {
  const link = new URL((await world.people.signInLinks.issue()) ?? '')
  expect(link.href).toMatch(/^http:\/\/127\.0\.0\.1:4000\/sign-in\/demo\?code=/)
  const code = link.searchParams.get('code') ?? ''
  handOut(code)
  return code
}

function html(answer: PageAnswer): string {
  return renderToString(answer.body as VNode)
}
