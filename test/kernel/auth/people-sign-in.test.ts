import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { assertSameOrigin, safeNextPath } from '../../../src/kernel/auth/sign-in-origin.ts'
import { createApp } from '../../../src/kernel/http/app.ts'
import { createMetrics } from '../../../src/kernel/http/metrics.ts'
import { loadAssets } from '../../../src/kernel/web/assets.ts'
import { mountPages } from '../../../src/kernel/web/mount-pages.ts'
import type { PageAnswer } from '../../../src/kernel/web/page.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import { generousLimits } from '../../support/page-limits.ts'
import {
  type Browser,
  browser,
  freezeTime,
  type PeopleWorld,
  password,
  peopleWorld,
  person,
  signedIn,
  type TestPerson,
} from '../../support/people.ts'

let database: TestDatabase
let world: PeopleWorld

beforeAll(async () => {
  database = await createDatabase()
  world = await peopleWorld(database)
})
afterAll(() => database.drop())

function html(answer: PageAnswer): string {
  return renderToString(answer.body as VNode)
}

async function withPassword(who: TestPerson): Promise<Browser> {
  const visitor = browser(world)
  await visitor.post('/sign-in', { email: who.email, password })
  return visitor
}

describe('the password step', () => {
  test('leads to the code, and gives no session before it', async () => {
    const who = await person(world)
    const visitor = browser(world)
    const answer = await visitor.post('/sign-in', { email: who.email, password })
    expect(answer).toMatchObject({ status: 303, headers: { location: '/sign-in/code' } })
    expect([...visitor.cookies.keys()]).toEqual(['__Host-tillbook.two_factor'])
    expect(await world.people.findSession(visitor.headers())).toBeUndefined()
    const rows = await database.sql`
      select id from kernel.sessions where person_id = ${who.personId}`
    expect(rows).toHaveLength(0)
  })

  test('leads a person without a second factor straight in', async () => {
    const who = await person(world, { totp: false })
    const visitor = browser(world)
    const answer = await visitor.post('/sign-in', { email: who.email.toUpperCase(), password })
    expect(answer).toMatchObject({ status: 303, headers: { location: '/home' } })
    expect(html(await visitor.get('/home'))).toContain(`Signed in as Ada Example (${who.email}).`)
  })

  test('answers the same to a wrong password and to an unknown address', async () => {
    const who = await person(world)
    const wrong = await browser(world).post('/sign-in', { email: who.email, password: 'wrong' })
    const unknown = await browser(world).post('/sign-in', { email: 'x@example.com', password })
    const none = await browser(world).post('/sign-in', { email: 'no address', password })
    const empty = await browser(world).post('/sign-in', {})
    for (const answer of [wrong, unknown, none, empty]) {
      expect(answer.status).toBe(422)
      expect(answer.headers?.['set-cookie']).toEqual([])
      expect(html(answer)).toContain('Wrong e-mail or password.')
    }
    // Each page has a new challenge for a passkey.
    const shown = (answer: PageAnswer, email: string) =>
      html(answer)
        .replace(email, '')
        .replace(/name="challenge" value="[^"]+"/, '')
        .replace(/data-passkey="[^"]+"/, '')
    expect(shown(wrong, who.email)).toBe(shown(unknown, 'x@example.com'))
  })

  test('refuses a passkey with an id that can’t be one', async () => {
    const visitor = browser(world)
    const challenge = /name="challenge" value="([^"]+)"/.exec(html(await visitor.get('/sign-in')))
    const response = JSON.stringify({ id: 'a\0' })
    const sent = { challenge: challenge?.[1] ?? '', response }
    expect((await visitor.post('/sign-in/passkey', sent)).status).toBe(422)
  })

  test('does the work of a password check for an unknown address too', async () => {
    let salts = 0
    const { ids } = world.context
    const { randomBytes } = ids
    ids.randomBytes = (length) => {
      salts += 1
      return randomBytes(length)
    }
    await browser(world).post('/sign-in', { email: 'no-one@example.com', password })
    ids.randomBytes = randomBytes
    expect(salts).toBe(1)
  })

  test('keeps the typed address, takes the focus to the error and names it to the fields', async () => {
    const email = '"><script>@example.com'
    const page = html(await browser(world).post('/sign-in', { email, password: 'wrong' }))
    expect(page).toContain('value="&quot;')
    expect(page).not.toContain('<script>')
    expect(page).toMatch(/role="alert" id="error" tabindex="-1" autofocus/i)
    expect(page.match(/aria-describedby="error"/g)).toHaveLength(2)
    expect(page).not.toContain('wrong"')
  })

  test('tells password managers which field is which', async () => {
    const page = html(await browser(world).get('/sign-in'))
    expect(page).toContain('autocomplete="username"')
    expect(page).toContain('autocomplete="current-password"')
    expect(html(await browser(world).get('/sign-in/code'))).toContain(
      'autocomplete="one-time-code"',
    )
  })

  test('replaces the session that the browser had', async () => {
    const time = freezeTime()
    const who = await person(world)
    const visitor = await signedIn(world, who)
    const before = await world.people.findSession(visitor.headers())
    time.advance(60)
    await visitor.post('/sign-in', { email: who.email, password })
    const rows = await database.sql`
      select id from kernel.sessions where id = ${before?.sessionId ?? ''}`
    expect(rows).toHaveLength(0)
    await visitor.post('/sign-in/code', { code: who.code() })
    const after = await world.people.findSession(visitor.headers())
    expect(after?.sessionId).not.toBe(before?.sessionId)
  })
})

describe('the code step', () => {
  test('finishes the sign-in and goes where the visitor wanted', async () => {
    const who = await person(world)
    const visitor = browser(world)
    const next = '/home?tab=1'
    const first = await visitor.post('/sign-in', { email: who.email, password, next })
    expect(first.headers?.location).toBe('/sign-in/code?next=%2Fhome%3Ftab%3D1')
    const page = await visitor.get('/sign-in/code?next=%2Fhome%3Ftab%3D1')
    expect(html(page)).toContain('name="next" value="/home?tab=1"')
    const answer = await visitor.post('/sign-in/code', { code: who.code(), next })
    expect(answer).toMatchObject({ status: 303, headers: { location: next } })
    expect([...visitor.cookies.keys()]).toEqual([
      '__Host-tillbook.session_token',
      expect.stringMatching(/^__Host-tillbook\.device_[0-9a-f]{16}$/),
    ])
  })

  test('accepts a code typed with spaces, and one from a clock that is a step off', async () => {
    freezeTime()
    const who = await person(world)
    const code = who.code(-1)
    const visitor = await withPassword(who)
    const typed = ` ${code.slice(0, 3)} ${code.slice(3)} `
    expect((await visitor.post('/sign-in/code', { code: typed })).status).toBe(303)
  })

  test('refuses a wrong code and one from two steps ago', async () => {
    freezeTime()
    const who = await person(world)
    const visitor = await withPassword(who)
    for (const code of [who.code(-2), who.code(2), 'abc', '']) {
      const answer = await visitor.post('/sign-in/code', { code })
      expect(answer.status).toBe(422)
      expect(html(answer)).toContain('This code is wrong or already used.')
    }
    expect(await world.people.findSession(visitor.headers())).toBeUndefined()
  })

  test('accepts a code once', async () => {
    const time = freezeTime()
    const who = await person(world)
    const code = who.code()
    const first = await withPassword(who)
    expect((await first.post('/sign-in/code', { code })).status).toBe(303)
    const second = await withPassword(who)
    const again = await second.post('/sign-in/code', { code })
    expect(again.status).toBe(422)
    expect(html(again)).toContain('This code was already used. Wait for the next one.')
    time.advance(30)
    expect((await second.post('/sign-in/code', { code })).status).toBe(422)
    expect((await second.post('/sign-in/code', { code: who.code() })).status).toBe(303)
  })

  test('accepts a code once when two browsers send it at the same moment', async () => {
    const who = await person(world)
    const visitors = await Promise.all([withPassword(who), withPassword(who), withPassword(who)])
    const code = who.code()
    const answers = await Promise.all(
      visitors.map((visitor) => visitor.post('/sign-in/code', { code })),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([303, 422, 422])
  })

  test('accepts a backup code once', async () => {
    const who = await person(world)
    const code = who.backupCodes?.[3]?.toUpperCase() ?? ''
    const visitor = await withPassword(who)
    expect((await visitor.post('/sign-in/code', { code })).status).toBe(303)
    expect(await world.people.findSession(visitor.headers())).toMatchObject({
      secondFactor: 'proven',
    })
    const again = await withPassword(who)
    expect((await again.post('/sign-in/code', { code })).status).toBe(422)
    const next = who.backupCodes?.[4] ?? ''
    expect((await again.post('/sign-in/code', { code: next })).status).toBe(303)
  })

  test('accepts a backup code once when two browsers send it at the same moment', async () => {
    const who = await person(world)
    const code = who.backupCodes?.[0] ?? ''
    const visitors = await Promise.all([withPassword(who), withPassword(who)])
    const answers = await Promise.all(
      visitors.map((visitor) => visitor.post('/sign-in/code', { code })),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([303, 422])
  })

  test('starts again with the password after five wrong codes', async () => {
    freezeTime()
    const who = await person(world)
    const visitor = await withPassword(who)
    for (let count = 0; count < 5; count += 1) {
      expect((await visitor.post('/sign-in/code', { code: who.code(3) })).status).toBe(422)
    }
    const answer = await visitor.post('/sign-in/code', { code: who.code() })
    expect(answer).toMatchObject({ status: 303, headers: { location: '/sign-in?ended=1' } })
    expect(html(await visitor.get('/sign-in?ended=1'))).toContain('Your sign-in has expired.')
  })

  test('leads on when another tab has finished it already', async () => {
    const visitor = await signedIn(world, await person(world))
    const answer = await visitor.post('/sign-in/code', { code: '123456', next: '/home?a=b' })
    expect(answer).toMatchObject({ status: 303, headers: { location: '/home?a=b' } })
  })

  test('is nothing without the password step, and ends after ten minutes', async () => {
    const time = freezeTime()
    const who = await person(world)
    const stranger = await browser(world).post('/sign-in/code', { code: who.code() })
    expect(stranger.headers?.location).toBe('/sign-in?ended=1')
    const visitor = await withPassword(who)
    time.advance(10 * 60 + 1)
    const late = await visitor.post('/sign-in/code', { code: who.code() })
    expect(late.headers?.location).toBe('/sign-in?ended=1')
    expect(await world.people.findSession(visitor.headers())).toBeUndefined()
  })
})

describe('signing out', () => {
  test('ends the session for a copy of its cookie too', async () => {
    const visitor = await signedIn(world, await person(world))
    const copy = visitor.headers()
    const answer = await visitor.post('/sign-out', {})
    expect(answer).toMatchObject({ status: 303, headers: { location: '/sign-in?out=1' } })
    expect([...visitor.cookies.keys()]).toEqual([expect.stringContaining('.device_')])
    expect(html(await visitor.get('/sign-in?out=1'))).toContain('You are signed out.')
    expect(await world.people.findSession(copy)).toBeUndefined()
    const home = await visitor.get('/home')
    expect(home).toMatchObject({ status: 303, headers: { location: '/sign-in?next=%2Fhome' } })
  })
})

test('signing out fails aloud when the session could not be ended', async () => {
  const visitor = await signedIn(world, await person(world))
  await database.sql.unsafe(`
    create function kernel.refuse() returns trigger language plpgsql
    as $$ begin raise exception 'no deletes today'; end $$;
    create trigger refuse before delete on kernel.sessions
    for each row execute function kernel.refuse()`)
  await expect(visitor.post('/sign-out', {})).rejects.toThrow('no deletes today')
  await database.sql`drop function kernel.refuse() cascade`
  expect(await world.people.findSession(visitor.headers())).toBeDefined()
})

describe('the home page', () => {
  test('leads an owner without a second factor to set one up', async () => {
    const who = await person(world, { totp: false })
    const businessId = world.context.ids.uuid()
    await database.sql`
      insert into kernel.businesses (id, name, is_demo, created_at)
      values (${businessId}, 'Corner Shop', true, ${new Date()})`
    await database.transaction((tx) =>
      world.people.addMembership(tx, businessId, who.personId, 'owner'),
    )
    const answer = await (await signedIn(world, who)).get('/home')
    expect(answer).toMatchObject({ status: 303, headers: { location: '/second-factor' } })
  })

  test('is never kept in the browser’s cache', async () => {
    const visitor = await signedIn(world, await person(world))
    expect((await visitor.get('/home')).headers).toMatchObject({ 'cache-control': 'no-store' })
  })
})

describe('a form from elsewhere', () => {
  const publicUrl = 'https://books.example'
  const check = (headers: Record<string, string>) => () =>
    assertSameOrigin(new Headers(headers), publicUrl)

  test.each<[string, Record<string, string>]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another port', { origin: 'https://books.example:8443' }],
    ['the same name without encryption', { origin: 'http://books.example' }],
    ['an origin that only begins like ours', { origin: 'https://books.example.evil.example' }],
    ['another site', { origin: publicUrl, 'sec-fetch-site': 'cross-site' }],
    ['a sister site', { 'sec-fetch-site': 'same-site' }],
    ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['nowhere known', {}],
    ['a hidden origin', { origin: 'null' }],
  ])('is refused when it comes from %s', (_, headers) => {
    expect(check(headers)).toThrow(expect.objectContaining({ kind: 'permission_denied' }))
  })

  test.each<[string, Record<string, string>]>([
    ['our origin', { origin: publicUrl }],
    ['our origin and site', { origin: publicUrl, 'sec-fetch-site': 'same-origin' }],
    [
      'our page under a strict referrer policy',
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
    ],
  ])('is one of ours when it comes from %s', (_, headers) => {
    expect(check(headers)).not.toThrow()
  })

  test('changes nothing on any page', async () => {
    const visitor = await signedIn(world, await person(world))
    const app = createApp(world.context, createMetrics())
    onTestFinished(() => app.close())
    const action = { href: '/sign-in', text: 'Sign in' }
    const site = {
      publicUrl,
      assets: loadAssets(),
      nav: [],
      action,
      signedInAction: action,
      footer: '',
    }
    await mountPages(app, world.pages, {
      site,
      addressOf: () => '203.0.113.7',
      log: world.context.log,
      limits: generousLimits(),
    })
    const posts = world.pages.filter(({ method }) => method === 'POST')
    expect(posts.map(({ path }) => path)).toContain('/sign-out')
    for (const { path: url } of posts) {
      const headers = { ...Object.fromEntries(visitor.headers()), origin: 'https://evil.example' }
      expect((await app.inject({ method: 'POST', url, headers })).statusCode).toBe(403)
    }
    expect(await world.people.findSession(visitor.headers())).toBeDefined()
  })
})

describe('where to go after signing in', () => {
  test.each([
    ['/home', '/home'],
    ['/a/b?c=d#e', '/a/b?c=d#e'],
    ['/a/../b', '/b'],
  ])('%s is a path of this site', (next, expected) => {
    expect(safeNextPath(next, 'https://books.example')).toBe(expected)
  })

  test.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    'javascript:alert(1)',
    'home',
    '',
    null,
  ])('%j is not', (next) => {
    expect(safeNextPath(next, 'https://books.example')).toBeUndefined()
  })

  test('a signed-in visitor is not sent elsewhere either', async () => {
    const visitor = await signedIn(world, await person(world))
    const answer = await visitor.get('/sign-in?next=//evil.example')
    expect(answer.headers?.location).toBe('/home')
  })
})

test('no password, code, cookie or seed reaches the log', async () => {
  const who = await person(world)
  const visitor = browser(world)
  const code = who.code()
  await visitor.post('/sign-in', { email: who.email, password: 'a wrong password' })
  await visitor.post('/sign-in', { email: who.email, password })
  await visitor.post('/sign-in/code', { code: '000000' })
  await visitor.post('/sign-in/code', { code })
  const log = world.logged.join('')
  expect(log).toContain('Invalid password')
  const secrets = [
    password,
    'a wrong password',
    who.totpSecret,
    `"${code}"`,
    ...visitor.cookies.values(),
  ]
  for (const secret of secrets) expect(log).not.toContain(secret)
})
