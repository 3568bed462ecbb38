// Someone without a second factor sets one up on the pages, after signing in with the password.
import { render } from 'preact-render-to-string'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PageAnswer } from '../../../src/kernel/web/page.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import {
  browser,
  freezeTime,
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

function readFactor(answer: PageAnswer): { secret: string; proposal: string } {
  const html = htmlOf(answer)
  const secret = /<code>([^<]+)<\/code>/.exec(html)?.[1] ?? ''
  const proposal = /name="proposal" value="([^"]+)"/.exec(html)?.[1] ?? ''
  handOut(secret)
  return { secret, proposal }
}

function readCodes(answer: PageAnswer): string[] {
  const text = /<code id="backup-codes">([^<]+)<\/code>/.exec(htmlOf(answer))?.[1] ?? ''
  const codes = text.split('\n')
  handOut(...codes)
  return codes
}

describe('someone without a second factor', () => {
  test('is led to it from the home page, and signs in with it from then on', async () => {
    const who = await person(world, { totp: false })
    const visitor = await signedIn(world, who)
    const elsewhere = await signedIn(world, who)
    expect(htmlOf(await visitor.get('/home'))).toContain('href="/second-factor"')
    const shown = await visitor.get('/second-factor')
    expect(shown.headers).toMatchObject({ 'cache-control': 'no-store' })
    const { secret, proposal } = readFactor(shown)
    expect(htmlOf(shown)).toContain('src="data:image/svg+xml;base64,')
    // Not counted yet: the app may not have it.
    expect(await world.people.findSession(visitor.headers())).toMatchObject({
      secondFactor: 'missing',
    })

    const code = totp(secret, new Date())
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`
    const done = await visitor.post('/second-factor', { proposal, code: spaced })
    expect(done.status).toBe(200)
    const codes = readCodes(done)
    expect(codes).toHaveLength(10)
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
    const { secret, proposal } = readFactor(await visitor.get('/second-factor'))
    const wrong = totp(secret, new Date()) === '000000' ? '000001' : '000000'
    const again = await visitor.post('/second-factor', { proposal, code: wrong })
    expect(again.status).toBe(422)
    expect(htmlOf(again)).toContain('This code is wrong.')
    expect(readFactor(again).secret).toBe(secret)
  })

  test('gets a new one after an hour, and none of what was proposed to others', async () => {
    const time = freezeTime()
    const who = await person(world, { totp: false })
    const visitor = await signedIn(world, who)
    const theirs = readFactor(
      await (await signedIn(world, await person(world, { totp: false }))).get('/second-factor'),
    )
    const own = readFactor(await visitor.get('/second-factor'))
    const send = ({ secret, proposal }: typeof own) =>
      visitor.post('/second-factor', { proposal, code: totp(secret, new Date()) })
    const refused = await send(theirs)
    expect(htmlOf(refused)).toContain('This took too long.')
    expect([own.secret, theirs.secret]).not.toContain(readFactor(refused).secret)
    time.advance(3601)
    await visitor.post('/sign-in', { email: who.email, password })
    expect((await send(own)).status).toBe(422)
    expect((await send(readFactor(await visitor.get('/second-factor')))).status).toBe(200)
  })

  test('enters the password again after a quarter of an hour', async () => {
    const time = freezeTime()
    const who = await person(world, { totp: false })
    const visitor = await signedIn(world, who)
    const { secret, proposal } = readFactor(await visitor.get('/second-factor'))
    time.advance(15 * 60)
    const code = totp(secret, new Date())
    for (const answer of [
      await visitor.get('/second-factor'),
      await visitor.post('/second-factor', { proposal, code }),
    ]) {
      expect(answer.headers?.location).toBe(
        `/sign-in?again=1&next=${encodeURIComponent('/second-factor?next=%2Fhome')}`,
      )
    }
    expect(await world.people.findSession(visitor.headers())).toMatchObject({
      secondFactor: 'missing',
    })
    expect(htmlOf(await visitor.get('/sign-in?again=1'))).toContain('Enter your password again')
    await visitor.post('/sign-in', { email: who.email, password })
    const done = await visitor.post('/second-factor', { proposal, code })
    expect(readCodes(done)).toHaveLength(10)
  })

  test('who gets one meanwhile can’t replace it with the password alone', async () => {
    const who = await person(world, { totp: false })
    const [first, second] = [await signedIn(world, who), await signedIn(world, who)]
    const session = await world.people.findSession(second.headers())
    if (!session) throw new Error('the person is signed in')
    const { totpSecret: secret, proposal } = world.people.proposeSecondFactor(session)
    handOut(secret)
    const own = readFactor(await first.get('/second-factor'))
    await first.post('/second-factor', { ...own, code: totp(own.secret, new Date()) })
    const code = totp(secret, new Date())
    await expect(world.people.confirmSecondFactor(session, { proposal, code })).rejects.toThrow(
      'Your session has ended.',
    )
    await database.sql`
      insert into kernel.sessions (
        id, person_id, token, expires_at, last_seen_at, created_at, updated_at
      )
      values (
        ${session.sessionId}, ${who.personId}, 'again', now() + interval '1 hour', now(), now(),
        now()
      )`
    await expect(world.people.confirmSecondFactor(session, { proposal, code })).rejects.toThrow(
      'already',
    )
  })
})

describe('the page is not', () => {
  test('for strangers', async () => {
    for (const answer of [
      await browser(world).get('/second-factor'),
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
      await visitor.post('/second-factor', { code: who.code() }),
    ]) {
      expect(answer).toMatchObject({ status: 303, headers: { location: '/home' } })
    }
    const session = await world.people.findSession(visitor.headers())
    if (!session) throw new Error('the person is signed in')
    expect(session.secondFactor).toBe('proven')
  })
})
