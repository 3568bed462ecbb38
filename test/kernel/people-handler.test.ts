import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import {
  freezeTime,
  type PeopleWorld,
  password,
  peopleWorld,
  person,
  signedIn,
} from '../support/people.ts'

let database: TestDatabase
let world: PeopleWorld

beforeAll(async () => {
  database = await createDatabase()
  world = await peopleWorld(database)
})
afterAll(() => database.drop())

const origin = 'https://books.example'

function call(
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
  address = '203.0.113.20',
): Promise<Response> {
  const request = new Request(`${origin}/auth${path}`, {
    method,
    headers: { origin, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  return world.people.handler(request, address)
}

function cookiesOf(response: Response): { cookie: string } {
  const lines = response.headers.getSetCookie().filter((line) => !line.includes('Max-Age=0'))
  return { cookie: lines.map((line) => line.split(';')[0]).join('; ') }
}

describe('a program', () => {
  test('signs in with password and code, reads its session and signs out', async () => {
    const who = await person(world)
    const first = await call('POST', '/sign-in/email', { email: who.email, password })
    expect(await first.json()).toMatchObject({ twoFactorRedirect: true })
    const code = { code: who.code() }
    const second = await call('POST', '/two-factor/verify-totp', code, cookiesOf(first))
    expect(second.status).toBe(200)
    const cookies = cookiesOf(second)
    const session = await call('GET', '/get-session', undefined, cookies)
    expect(await session.json()).toMatchObject({ user: { email: who.email } })
    expect((await call('POST', '/sign-out', {}, cookies)).status).toBe(200)
    const after = await call('GET', '/get-session', undefined, cookies)
    expect(await after.json()).toBeNull()
  })

  test('cannot use a code twice', async () => {
    const who = await person(world)
    const challenge = async () =>
      cookiesOf(await call('POST', '/sign-in/email', { email: who.email, password }))
    const code = { code: who.code() }
    const verify = async () => call('POST', '/two-factor/verify-totp', code, await challenge())
    expect((await verify()).status).toBe(200)
    expect((await verify()).status).toBe(401)
  })

  test('cannot make its device skip the second factor later', async () => {
    const who = await person(world)
    const first = await call('POST', '/sign-in/email', { email: who.email, password })
    const body = { code: who.code(), trustDevice: true }
    const second = await call('POST', '/two-factor/verify-totp', body, cookiesOf(first))
    expect(second.status).toBe(200)
    expect(cookiesOf(second).cookie).not.toContain('trust_device')
  })

  test('cannot guess codes inside a session, where better-auth would not count', async () => {
    const who = await person(world)
    const visitor = await signedIn(world, who)
    const cookie = visitor.headers().get('cookie') ?? ''
    for (const path of ['/two-factor/verify-totp', '/two-factor/verify-backup-code']) {
      const answer = await call('POST', path, { code: who.code(1) }, { cookie })
      expect(answer.status).toBe(400)
    }
  })

  test('is limited by the address we saw, not by one it names', async () => {
    const wrong = (forged: string) =>
      call(
        'POST',
        '/sign-in/email',
        { email: 'target@example.com', password: 'wrong' },
        { 'x-client-address': forged, 'x-forwarded-for': forged },
      )
    const statuses: number[] = []
    for (let count = 0; count < 11; count += 1) {
      statuses.push((await wrong(`192.0.2.${count}`)).status)
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429])
    const who = await person(world, { totp: false })
    const forged = { 'x-client-address': '192.0.2.99' }
    await call('POST', '/sign-in/email', { email: who.email, password }, forged)
    const rows = await database.sql`
      select ip_address from kernel.sessions where person_id = ${who.personId}`
    expect(rows).toMatchObject([{ ipAddress: '203.0.113.20' }])
  })

  test('with an IPv6 address counts by the network that its site was given', async () => {
    const who = await person(world, { totp: false })
    const body = { email: who.email, password }
    await call('POST', '/sign-in/email', body, {}, '2001:db8:1:2:3:4:5:6')
    const rows = await database.sql`
      select ip_address from kernel.sessions where person_id = ${who.personId}`
    expect(rows).toMatchObject([{ ipAddress: '2001:0db8:0001:0002:0000:0000:0000:0000' }])
  })

  test('has no session left after twelve idle hours', async () => {
    const time = freezeTime()
    const visitor = await signedIn(world, await person(world))
    const cookie = visitor.headers().get('cookie') ?? ''
    time.advance(12 * 3600)
    const answer = await call('GET', '/get-session', undefined, { cookie })
    expect(await answer.json()).toBeNull()
  })
})

describe('an endpoint that we do not offer', () => {
  test.each([
    ['POST', '/sign-up/email'],
    ['POST', '/two-factor/disable'],
    ['POST', '/two-factor/enable'],
    ['POST', '/change-password'],
    ['POST', '/update-user'],
    ['POST', '/delete-user'],
    ['POST', '/sign-in/email/'],
    ['GET', '/sign-in/email'],
    ['GET', '/ok'],
    ['GET', '/list-sessions'],
    ['GET', ''],
  ])('is not found: %s %s', async (method, path) => {
    const asking = call(method, path, method === 'POST' ? {} : undefined)
    await expect(asking).rejects.toMatchObject({ kind: 'not_found' })
  })
})

test('another site cannot sign a visitor in or out', async () => {
  const evil = { origin: 'https://evil.example' }
  const body = { email: 'a@example.com', password }
  for (const path of ['/sign-in/email', '/sign-out', '/two-factor/verify-totp']) {
    const posting = call('POST', path, body, evil)
    await expect(posting).rejects.toMatchObject({ kind: 'permission_denied' })
  }
})

test('a body that is no sign-in is refused without a failure of ours', async () => {
  for (const body of [{}, { email: 1, password: [] }, { email: 'a@example.com' }, []]) {
    const answer = await call('POST', '/sign-in/email', body)
    expect(answer.status).toBe(400)
  }
  const answer = await call('POST', '/two-factor/verify-totp', { code: { $gt: '' } })
  expect([400, 401]).toContain(answer.status)
})
