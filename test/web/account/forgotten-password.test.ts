// A forgotten password is replaced by mail. The second factor stays.
import { beforeEach, describe, expect, it } from 'vitest'
import { access } from '../../../src/app/access.ts'
import { mailPasswordResetJob } from '../../../src/kernel/account/request-password-reset.ts'
import { insertPasskey, listPasskeys } from '../../../src/kernel/auth/passkey-store.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { workerFor } from '../../support/jobs.ts'
import { cookiesOf, linkTo, mailsTo, postForm } from '../../support/links.ts'
import { shop } from '../../support/payments.ts'
import { handOut } from '../../support/run-log.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const newPassword = 'four plain english words'
handOut(newPassword)

let businessId: string
let who: AppVisitor

beforeEach(async () => {
  businessId = (await shop(world())).tenant.businessId
  who = await appVisitor(world(), businessId, 'viewer')
  await world().database.sql`delete from kernel.sign_in_attempts`
})

const ask = (email: string) => postForm(world(), '/forgot-password', { email })
const work = () => workerFor(world().context, { jobs: [mailPasswordResetJob] }).drain()
const open = (link: string) => world().call('GET', link)
const choose = (link: string, password = newPassword) => postForm(world(), link, { password })

async function askedLink(): Promise<string> {
  await ask(who.email)
  await work()
  return linkTo(world(), who.email)
}

describe('a forgotten password', () => {
  it('takes the passkeys away when it is replaced', async () => {
    const { ids } = world().context
    const { personId } = who
    await world().database.transaction((tx) =>
      insertPasskey(tx, {
        ...{ personId, id: ids.uuid(), credentialId: ids.uuid(), publicKey: Buffer.alloc(1) },
        ...{ counter: 0n, transports: [], name: 'Phone', createdAt: new Date() },
      }),
    )
    await choose(await askedLink())
    expect(await listPasskeys(world().database.sql, personId)).toEqual([])
    expect((await mailsTo(world(), who.email)).at(-1)?.bodyText).toContain('passkeys removed')
  })

  it('is not asked for with an address that can’t be one', async () => {
    expect((await ask('a\0@b.example')).status).toBe(400)
  })

  it('is replaced by the link; all sessions end, and the code is still needed', async () => {
    const signIn = await world().call('GET', '/sign-in')
    expect(signIn.text).toContain('href="/forgot-password"')
    const link = await askedLink()
    expect((await open(link)).text).toContain(who.email)
    expect((await choose(link)).headers.get('location')).toBe('/sign-in?reset=1')
    expect((await who.get('')).headers.get('location')).toMatch(/^\/sign-in/)
    const { email } = who
    const signedIn = await postForm(world(), '/sign-in', { email, password: newPassword })
    expect(signedIn.headers.get('location')).toBe('/sign-in/code')
    const headers = cookiesOf(signedIn)
    const home = await world().call('GET', '/home', { headers })
    expect(home.headers.get('location')).toMatch(/^\/sign-in/)
    const code = { code: who.backupCodes[0] ?? '' }
    const done = await postForm(world(), '/sign-in/code', code, headers)
    expect(done.headers.get('location')).toBe('/home')
    const subjects = (await mailsTo(world(), email)).map(({ subject }) => subject)
    expect(subjects).toEqual(['Choose a new password', 'Your password was changed'])
    const acts = await world().database.sql<{ action: string }[]>`
      select action
      from kernel.audit_log
      where actor_id = ${who.personId}
      order by at, id`
    expect(acts.map(({ action }) => action)).toEqual([
      'person.request_password_reset',
      'person.reset_own_password',
    ])
  })

  it('gets the same answer without an account, and no mail', async () => {
    const unknown = 'no-one@example.com'
    const [known, other] = [await ask(who.email), await ask(unknown)]
    await work()
    expect(other.status).toBe(known.status)
    const shown = ({ text }: typeof known) => /<main.*<\/main>/s.exec(text)?.[0] ?? ''
    expect(shown(known)).toContain(who.email)
    expect(shown(other)).toBe(shown(known).replaceAll(who.email, unknown))
    expect(await mailsTo(world(), unknown)).toEqual([])
  })

  it('is not mailed about more than three times, which the answer does not tell', async () => {
    const answers = []
    for (let count = 0; count < 5; count += 1) answers.push((await ask(who.email)).status)
    await work()
    expect(answers).toEqual([200, 200, 200, 200, 200])
    expect(await mailsTo(world(), who.email)).toHaveLength(3)
  })

  it('is asked for from one address forty times at most', async () => {
    for (let count = 0; count < 40; count += 1) await ask(`${count}@example.com`)
    const refused = await ask(who.email)
    expect(refused.status).toBe(429)
    expect(refused.text).toContain('Too many requests.')
    expect((await ask('no address')).status).toBe(400)
  })
})

describe('the link', () => {
  it('works once, and only the newest one', async () => {
    const first = await askedLink()
    const second = await askedLink()
    expect([(await open(first)).status, (await choose(first)).status]).toEqual([404, 404])
    expect((await choose(second, 'short')).text).toContain('Use 12 to 256 characters')
    const both = await Promise.all([choose(second), choose(second)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([303, 404])
  })

  it('works for an hour, and is stored as a hash', async () => {
    const link = await askedLink()
    const [row] = await world().database.sql<{ seconds: number; text: string }[]>`
      select extract(epoch from expires_at - created_at)::int as seconds,
        person_links::text as text
      from kernel.person_links
      where person_id = ${who.personId}`
    expect(row?.seconds).toBe(3600)
    expect(row?.text).not.toContain(link.split('/').at(-1))
    await world().database.sql`
      update kernel.person_links
      set expires_at = now() - interval '1 second'
      where person_id = ${who.personId}`
    expect((await choose(link)).status).toBe(404)
  })

  it('dies when the person is removed', async () => {
    const link = await askedLink()
    const operator = { kind: 'system', name: 'test', businessId, environment: 'live' } as const
    const { personId } = who
    await runOperation(access.removeMember, world().context, operator, { personId })
    expect((await choose(link)).status).toBe(404)
    expect(await askedLink()).toBe(link)
  })
})
