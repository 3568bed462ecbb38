// How often passwords and codes can be tried, and that no one can keep another person out.
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countSignInTry } from '../../../src/kernel/auth/sign-in-limits.ts'
import type { PageAnswer } from '../../../src/kernel/web/page.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
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

describe('too many passwords', () => {
  const tries = (visitor: Browser, email: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, () => visitor.post('/sign-in', { email, password: 'wrong' })),
    )

  test('from one network for one person are refused until the window ends', async () => {
    const time = freezeTime()
    const who = await person(world)
    const stranger = browser(world, '203.0.113.9')
    const answers = await tries(stranger, who.email, 10)
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(422))
    time.advance(5 * 60)
    const refused = await stranger.post('/sign-in', { email: who.email, password })
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '600' } })
    expect(html(refused)).toContain('Too many tries. Wait 10 minutes, then try again.')
    // From elsewhere the person signs in as ever.
    const visitor = browser(world, '203.0.113.10')
    expect((await visitor.post('/sign-in', { email: who.email, password })).status).toBe(303)
    time.advance(10 * 60)
    const later = await stranger.post('/sign-in', { email: who.email, password })
    expect(later.status).toBe(303)
  })

  test('for one person from everywhere only take longer, and never on a known device', async () => {
    const who = await person(world)
    const known = await signedIn(world, who)
    await known.post('/sign-out', {})
    world.waited.length = 0
    for (let network = 1; network <= 11; network += 1) {
      await tries(browser(world, `198.51.100.${network}`), who.email.toUpperCase(), 1)
    }
    expect(world.waited).toEqual([1, 2, 4, 8, 10, 10])
    expect((await known.post('/sign-in', { email: who.email, password })).status).toBe(303)
    expect(world.waited).toHaveLength(6)
    // The right password has reset the count, so this is the first try again.
    const elsewhere = browser(world, '198.51.100.77')
    expect((await elsewhere.post('/sign-in', { email: who.email, password })).status).toBe(303)
    expect(world.waited).toHaveLength(6)
  })

  test('are delayed for the right password too, and for an unknown address alike', async () => {
    for (const email of [(await person(world)).email, 'no one-at-all@example.com']) {
      world.waited.length = 0
      await tries(browser(world, '198.51.100.80'), email, 5)
      await browser(world, '198.51.100.81').post('/sign-in', { email, password })
      expect(world.waited).toEqual([1])
    }
  })

  test('are those of a stranger with an invented or foreign cookie', async () => {
    const [who, other] = [await person(world), await person(world)]
    const device = (jar: Browser) => [...jar.cookies].find(([name]) => name.includes('.device_'))
    const [name = '', value = ''] = device(await signedIn(world, who)) ?? []
    const [, foreign = ''] = device(await signedIn(world, other)) ?? []
    for (const forged of ['', foreign, value.slice(1), `${value}a`]) {
      const stranger = browser(world, '198.51.100.90')
      stranger.cookies.set(name, forged)
      world.waited.length = 0
      await tries(stranger, who.email, 6)
      expect(world.waited).toEqual([1])
      await browser(world, '198.51.100.91').post('/sign-in', { email: who.email, password })
      await database.sql`delete from kernel.sign_in_attempts`
    }
  })

  test('are not counted when they were right', async () => {
    const who = await person(world, { totp: false })
    for (let count = 0; count < 12; count += 1) {
      const answer = await browser(world).post('/sign-in', { email: who.email, password })
      expect(answer.status).toBe(303)
    }
  })

  test('from one network are refused for any account', async () => {
    const attempt = (number: number) =>
      countSignInTry(world.context, {
        email: `victim-${number}@example.com`,
        address: '198.51.100.1',
        isKnownDevice: false,
      })
    await database.sql`delete from kernel.sign_in_attempts`
    const answers = await Promise.all(Array.from({ length: 50 }, (_, number) => attempt(number)))
    expect(answers.filter((answer) => 'delaySeconds' in answer)).toHaveLength(40)
  })

  test('are forgotten by the database when the longest window has ended', async () => {
    const time = freezeTime()
    const attempt = { address: '198.51.100.2', isKnownDevice: false }
    await countSignInTry(world.context, { ...attempt, email: 'old@example.com' })
    time.advance(60 * 60)
    await countSignInTry(world.context, { ...attempt, email: 'new@example.com' })
    const rows = await database.sql`
      select count
      from kernel.sign_in_attempts
      where window_started_at <= ${new Date(Date.now() - 60 * 60_000)}`
    expect(rows).toHaveLength(0)
  })

  test('are told at a terminal, which strangers cannot slow down', async () => {
    freezeTime()
    const who = await person(world)
    await tries(browser(world, '198.51.100.60'), who.email, 10)
    world.waited.length = 0
    const prove = (typed: string) => world.people.verifyPasswordAndCode(who.email, typed, '000000')
    for (let count = 0; count < 10; count += 1) expect(await prove('wrong')).toBeUndefined()
    await expect(prove(password)).rejects.toThrow(
      'Too many tries. Wait 15 minutes, then try again.',
    )
    expect(world.waited).toEqual([])
  })
})

describe('too many codes', () => {
  test('from unknown devices are refused until the window ends', async () => {
    const time = freezeTime()
    const who = await person(world)
    const known = await signedIn(world, who)
    await known.post('/sign-out', {})
    time.advance(30)
    for (let round = 0; round < 2; round += 1) {
      const visitor = await withPassword(who)
      for (let count = 0; count < 5; count += 1) {
        await visitor.post('/sign-in/code', { code: who.code(3) })
      }
    }
    const paused = await withPassword(who)
    for (const code of [who.code(), who.backupCodes?.[0] ?? '']) {
      const refused = await paused.post('/sign-in/code', { code })
      expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '900' } })
      expect(html(refused)).toContain('Too many tries. Wait 15 minutes, then try again.')
    }
    // Someone who found out the password keeps no one out of a browser that was used before.
    await known.post('/sign-in', { email: who.email, password })
    expect((await known.post('/sign-in/code', { code: who.code() })).status).toBe(303)
    time.advance(15 * 60)
    const visitor = await withPassword(who)
    expect((await visitor.post('/sign-in/code', { code: who.code() })).status).toBe(303)
  })

  test('from a known device are refused too', async () => {
    const time = freezeTime()
    const who = await person(world)
    const known = await signedIn(world, who)
    await known.post('/sign-out', {})
    time.advance(30)
    for (let count = 0; count < 12; count += 1) {
      if (count % 5 === 0) await known.post('/sign-in', { email: who.email, password })
      await known.post('/sign-in/code', { code: who.code(3) })
    }
    expect((await known.post('/sign-in/code', { code: who.code() })).status).toBe(429)
  })
})
