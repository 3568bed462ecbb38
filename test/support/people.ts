// An application with people, and a browser's cookie jar for calling pages directly.

import { onTestFinished, vi } from 'vitest'
import { createPeople, type People } from '../../src/kernel/auth/people.ts'
import type { CreatedPerson } from '../../src/kernel/auth/person.ts'
import { createSecrets, type SecretsKey } from '../../src/kernel/auth/secrets.ts'
import { systemClock } from '../../src/kernel/basics/clock.ts'
import { createFailpoint } from '../../src/kernel/basics/failpoint.ts'
import { systemIds } from '../../src/kernel/basics/id.ts'
import { createLog } from '../../src/kernel/basics/log.ts'
import type { Context } from '../../src/kernel/db/context.ts'
import type { Page, PageAnswer } from '../../src/kernel/web/page.ts'
import { signInPages } from '../../src/kernel/web/sign-in-pages.tsx'
import type { TestDatabase } from './database.ts'
import { type PersonContext, putPerson } from './put-person.ts'
import { handOut, keepLog } from './run-log.ts'
import { decodeBase32, totp } from './totp.ts'

export const secretsKey = { version: 1, key: Buffer.alloc(32, 7) }

export type PeopleWorld = {
  context: Context & PersonContext
  people: People
  pages: Page[]
  logged: string[]
  // How long tries to sign in were delayed; no test really waits.
  waited: number[]
}

// better-auth reads the machine's time by itself, so a test that moves time fakes `Date` with
// `freezeTime`, and everything else follows through the system clock.
export async function peopleWorld(
  database: TestDatabase,
  options: { publicUrl?: string; ring?: [SecretsKey, ...SecretsKey[]] } = {},
): Promise<PeopleWorld> {
  const logged: string[] = []
  const waited: number[] = []
  const log = createLog('debug', {
    write(line) {
      logged.push(line)
      keepLog(line)
    },
  })
  const ids = systemIds(systemClock)
  const secrets = createSecrets(options.ring ?? [secretsKey])
  const context = { clock: systemClock, ids, log, database, failpoint: createFailpoint(), secrets }
  const people = await createPeople(context, {
    publicUrl: options.publicUrl ?? 'https://books.example',
    secrets,
    waitSeconds: async (seconds) => {
      waited.push(seconds)
    },
  })
  const pages = signInPages(people, (businessId) => `/b/${businessId}`)
  return { context, people, pages, logged, waited }
}

export function freezeTime(): { advance(seconds: number): void } {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-02T09:00:10.000Z') })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  return { advance: (seconds) => vi.setSystemTime(Date.now() + seconds * 1000) }
}

export const password = 'correct horse battery'

let emailCount = 0

export type TestPerson = CreatedPerson & { email: string; code(stepOffset?: number): string }

export async function person(
  world: PeopleWorld,
  options: { totp?: boolean; name?: string } = {},
): Promise<TestPerson> {
  emailCount += 1
  const email = `person-${emailCount}@example.com`
  const created = await putPerson(world.context, { ...options, email })
  handOut(password, created.totpSecret, ...(created.backupCodes ?? []))
  if (created.totpSecret) handOut(decodeBase32(created.totpSecret).toString())
  const code = (stepOffset = 0) => totp(created.totpSecret ?? '', new Date(), stepOffset)
  return { ...created, code }
}

export type Browser = {
  cookies: Map<string, string>
  headers(extra?: Record<string, string>): Headers
  get(path: string): Promise<PageAnswer>
  post(
    path: string,
    form: Record<string, string>,
    extra?: Record<string, string>,
  ): Promise<PageAnswer>
}

export function browser(world: PeopleWorld, address = '203.0.113.5'): Browser {
  const cookies = new Map<string, string>()
  const headers = (extra: Record<string, string> = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return new Headers({ ...(cookie && { cookie }), ...extra })
  }
  const call = async (method: string, path: string, form: URLSearchParams, sent: Headers) => {
    const url = new URL(path, world.people.publicUrl)
    const page = world.pages.find(
      (candidate) => candidate.method === method && candidate.path === url.pathname,
    )
    if (!page) throw new Error(`no page ${method} ${path}`)
    const answer = await page.handle({
      ...{ url, headers: sent, params: {}, form, address, nonce: 'nonce' },
      signal: new AbortController().signal,
    })
    for (const line of [answer.headers?.['set-cookie'] ?? []].flat()) keep(cookies, line)
    return answer
  }
  return {
    cookies,
    headers,
    get: (path) => call('GET', path, new URLSearchParams(), headers()),
    post: (path, form, extra) =>
      call(
        'POST',
        path,
        new URLSearchParams(form),
        headers({ origin: new URL(world.people.publicUrl).origin, ...extra }),
      ),
  }
}

// Signs someone in through both steps.
export async function signedIn(world: PeopleWorld, who: TestPerson): Promise<Browser> {
  const visitor = browser(world)
  await visitor.post('/sign-in', { email: who.email, password })
  if (who.totpSecret) await visitor.post('/sign-in/code', { code: who.code() })
  return visitor
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split('; ')
  const [name = '', ...value] = pair.split('=')
  if (attributes.includes('Max-Age=0')) cookies.delete(name)
  else cookies.set(name, value.join('='))
}
