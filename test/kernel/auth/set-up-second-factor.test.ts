// Someone without a second factor sets one up on the pages, after signing in with the password.
import { render } from 'preact-render-to-string'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PageAnswer } from '../../../src/kernel/web/page.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import {
  browser,
  type PeopleWorld,
  password,
  peopleWorld,
  person,
  signedIn,
} from '../../support/people.ts'
import { handOut } from '../../support/run-log.ts'
import { totp } from '../../support/totp.ts'

let database: TestDatabase
let world: PeopleWorld

beforeAll(async () => {
  database = await createDatabase()
  world = await peopleWorld(database)
})

afterAll(() => database.drop())

const htmlOf = ({ body }: PageAnswer) => (typeof body === 'object' ? render(body as never) : '')

function readFactor(answer: PageAnswer): { secret: string; codes: string[] } {
  const [secret = '', ...codes] = [...htmlOf(answer).matchAll(/<code>([^<]+)<\/code>/g)].map(
    ([, text = '']) => text,
  )
  handOut(secret, ...codes)
  return { secret, codes }
}

describe('someone without a second factor', () => {
  test('is led to it from the home page, and signs in with it from then on', async () => {
    const who = await person(world, { totp: false })
    const visitor = await signedIn(world, who)
    const elsewhere = await signedIn(world, who)
    expect(htmlOf(await visitor.get('/home'))).toContain('href="/second-factor"')
    expect(htmlOf(await visitor.get('/second-factor'))).toContain('Set up a second factor')

    const shown = await visitor.post('/second-factor/new', {})
    expect(shown.headers).toMatchObject({ 'cache-control': 'no-store' })
    const { secret, codes } = readFactor(shown)
    expect(codes).toHaveLength(10)
    expect(htmlOf(shown)).toContain('src="data:image/svg+xml;base64,')
    // Not counted yet: the app may not have it.
    expect(await world.people.findSession(visitor.headers())).toMatchObject({
      secondFactor: 'missing',
    })

    const code = totp(secret, new Date())
    const done = await visitor.post('/second-factor', {
      code: `${code.slice(0, 3)} ${code.slice(3)}`,
    })
    expect(done).toMatchObject({ status: 303, headers: { location: '/home' } })
    expect(await world.people.findSession(visitor.headers())).toMatchObject({
      secondFactor: 'proven',
    })
    expect(await world.people.findSession(elsewhere.headers())).toBeUndefined()

    const next = browser(world)
    await next.post('/sign-in', { email: who.email, password })
    expect(await world.people.findSession(next.headers())).toBeUndefined()
    // The code that set it up is spent.
    expect((await next.post('/sign-in/code', { code })).status).toBe(422)
    await next.post('/sign-in/code', { code: codes[0] ?? '' })
    expect(await world.people.findSession(next.headers())).toMatchObject({ secondFactor: 'proven' })
    const [mail] = await database.sql<{ recipients: string[]; bodyText: string }[]>`
      select recipients, body_text
      from kernel.mails
      where subject = 'You have a new second factor'`
    expect(mail?.recipients).toEqual([who.email])
  })

  test('sees it again after a wrong code', async () => {
    const visitor = await signedIn(world, await person(world, { totp: false }))
    const { secret } = readFactor(await visitor.post('/second-factor/new', {}))
    const wrong = totp(secret, new Date()) === '000000' ? '000001' : '000000'
    const again = await visitor.post('/second-factor', { code: wrong })
    expect(again.status).toBe(422)
    expect(htmlOf(again)).toContain('This code is wrong.')
    expect(readFactor(again).secret).toBe(secret)
  })

  test('starts over with another one, and the first no longer works', async () => {
    const visitor = await signedIn(world, await person(world, { totp: false }))
    const first = readFactor(await visitor.post('/second-factor/new', {}))
    const second = readFactor(await visitor.post('/second-factor/new', {}))
    const code = totp(first.secret, new Date())
    expect((await visitor.post('/second-factor', { code })).status).toBe(422)
    const right = totp(second.secret, new Date())
    expect((await visitor.post('/second-factor', { code: right })).status).toBe(303)
  })
})

describe('the page is not', () => {
  test('for strangers', async () => {
    for (const answer of [
      await browser(world).get('/second-factor'),
      await browser(world).post('/second-factor/new', {}),
      await browser(world).post('/second-factor', { code: '123456' }),
    ]) {
      expect(answer.headers?.location).toMatch(/^\/sign-in\?next=/)
    }
  })

  test('for people who have a second factor', async () => {
    const who = await person(world)
    const visitor = await signedIn(world, who)
    for (const answer of [
      await visitor.get('/second-factor'),
      await visitor.post('/second-factor/new', {}),
      await visitor.post('/second-factor', { code: who.code() }),
    ]) {
      expect(answer).toMatchObject({ status: 303, headers: { location: '/home' } })
    }
    const session = await world.people.findSession(visitor.headers())
    if (!session) throw new Error('the person is signed in')
    await expect(world.people.startSecondFactor(session)).rejects.toThrow('already')
  })
})
