// People change their own account. Each act is in the audit log of their business.
import { describe, expect, it } from 'vitest'
import { deviceName } from '../../../src/web/account/device-name.ts'
import { type AppVisitor, appVisitor, fieldsOf } from '../../support/app-visitor.ts'
import { linkIn, mailsTo, postForm } from '../../support/links.ts'
import { shop } from '../../support/payments.ts'
import { password } from '../../support/people.ts'
import { handOut } from '../../support/run-log.ts'
import { totp } from '../../support/totp.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const newPassword = 'another long password'
handOut(newPassword)

async function visitor(): Promise<AppVisitor & { businessId: string }> {
  const { tenant } = await shop(world())
  const { businessId } = tenant
  return { ...(await appVisitor(world(), businessId, 'viewer')), businessId }
}

async function actsOf({ personId }: AppVisitor): Promise<string[]> {
  const rows = await world().database.sql<{ action: string }[]>`
    select action
    from kernel.audit_log
    where actor_id = ${personId}
    order by at`
  return rows.map(({ action }) => action)
}

async function addSession({ personId }: AppVisitor): Promise<string> {
  const id = world().context.ids.uuid()
  await world().database.sql`
    insert into kernel.sessions (
      id, person_id, token, ip_address, user_agent, expires_at, last_seen_at, created_at, updated_at
    )
    values (
      ${id}, ${personId}, ${id}, '198.51.100.7', 'Mozilla/5.0 (iPhone) Version/18.0 Safari/604.1',
      now() + interval '1 day', now(), now(), now()
    )`
  return id
}

describe('my account', () => {
  it('is reached from the menu and shows name, address, second factor and sessions', async () => {
    const who = await visitor()
    await addSession(who)
    expect((await who.get('')).text).toContain(`href="/b/${who.businessId}/account"`)
    const { text } = await who.get('/account')
    for (const part of [who.email, '10 left', 'Safari on iPhone', '198.51.100.7', 'This session']) {
      expect(text).toContain(part)
    }
  })

  it('changes the name', async () => {
    const who = await visitor()
    expect((await who.submit('/account/name', { name: 'Grace Example' })).status).toBe(303)
    expect((await who.get('/account')).text).toContain('Grace Example')
    expect((await who.submit('/account/name', { name: ' ' })).status).toBe(422)
    expect(await actsOf(who)).toEqual(['person.change_name'])
  })
})

describe('the password', () => {
  it('is changed with the current one; other sessions end', async () => {
    const who = await visitor()
    const other = await addSession(who)
    const fields = { currentPassword: password, password: newPassword }
    expect((await who.submit('/account/password', fields)).status).toBe(303)
    const text = (await who.get('/account')).text
    expect(text).not.toContain(other)
    const again = await who.submit('/account/password', fields)
    expect(again.text).toContain('This is not your current password.')
    expect(await actsOf(who)).toEqual(['person.change_password'])
    expect((await mailsTo(world(), who.email)).map(({ subject }) => subject)).toEqual([
      'Your password was changed',
    ])
  })

  it('is refused when it is short, the same, or tried too often', async () => {
    const who = await visitor()
    const send = (currentPassword: string, wanted: string) =>
      who.submit('/account/password', { currentPassword, password: wanted })
    expect((await send(password, 'short')).text).toContain('Use 12 to 256 characters')
    expect((await send(password, password)).text).toContain('differs from the current one')
    for (let tries = 0; tries < 10; tries += 1) await send('wrong', newPassword)
    const refused = await send(password, newPassword)
    expect(refused.text).toContain('Too many tries.')
    expect(refused.text).not.toContain(newPassword)
    expect(await actsOf(who)).toEqual([])
  })
})

describe('the authenticator app', () => {
  it('is replaced after a code of the new one; the old one works until then', async () => {
    const who = await visitor()
    const shown = await who.get('/account/authenticator')
    expect(shown.text).toContain('src="data:image/svg+xml;base64,')
    const secret = /<code>([A-Z2-7]+)<\/code>/.exec(shown.text)?.[1] ?? ''
    handOut(secret)
    const fields = fieldsOf(shown.text)
    const wrong = await who.post('/account/authenticator', { ...fields, code: '12' })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain(secret)
    const code = totp(secret, new Date())
    const done = await who.post('/account/authenticator', { ...fieldsOf(wrong.text), code })
    expect(done.status).toBe(200)
    const codes = /id="backup-codes">([^<]+)</.exec(done.text)?.[1]?.split('\n') ?? []
    handOut(...codes)
    expect(codes).toHaveLength(10)
    expect(await actsOf(who)).toEqual(['person.replace_second_factor'])
    const [old = ''] = who.backupCodes
    await world().database.sql`
      update kernel.sessions
      set second_factor_at = second_factor_at - interval '1 hour'
      where person_id = ${who.personId}`
    expect((await who.post('/account/backup-codes', { proof: old })).status).toBe(403)
    expect((await who.post('/account/backup-codes', { proof: codes[0] ?? '' })).status).toBe(303)
  })

  it('gets new backup codes, shown once', async () => {
    const who = await visitor()
    const fields = fieldsOf((await who.get('/account/backup-codes')).text)
    const done = await who.post('/account/backup-codes', fields)
    const codes = /id="backup-codes">([^<]+)</.exec(done.text)?.[1]?.split('\n') ?? []
    handOut(...codes)
    expect(codes).toHaveLength(10)
    expect(codes).not.toContain(who.backupCodes[0])
    const again = await who.post('/account/backup-codes', fields)
    expect(again.status).toBe(303)
    expect(await actsOf(who)).toEqual(['person.renew_backup_codes'])
  })
})

describe('sessions', () => {
  it('end one by one, all others together, and never those of someone else', async () => {
    const [who, stranger] = [await visitor(), await visitor()]
    const [first, second, third] = [
      await addSession(who),
      await addSession(who),
      await addSession(who),
    ]
    const theirs = await addSession(stranger)
    const token = () => ({ form_token: world().context.ids.uuid() })
    await who.post(`/account/sessions/${first}/end`, token())
    await who.post(`/account/sessions/${theirs}/end`, token())
    const listed = (await who.get('/account')).text
    expect([first, second, third].map((id) => listed.includes(id))).toEqual([false, true, true])
    await who.post('/account/sessions/end-others', token())
    const left = (await who.get('/account')).text
    expect([second, third].map((id) => left.includes(id))).toEqual([false, false])
    expect((await stranger.get('/account')).text).toContain(theirs)
    expect(await actsOf(who)).toEqual(['person.end_own_sessions', 'person.end_own_sessions'])
  })
})

describe('the e-mail address', () => {
  const open = (path: string, by: AppVisitor) =>
    world().call('GET', path, { headers: by.headers() })
  const confirm = (path: string, by?: AppVisitor) => postForm(world(), path, {}, by?.headers())
  const address = () => `${world().context.ids.uuid()}@example.com`

  it('changes once the link is opened, and the old one is told', async () => {
    const who = await visitor()
    const wanted = address()
    expect((await who.submit('/account/email', { email: wanted })).status).toBe(303)
    const page = (await who.get('/account')).text
    expect(page).toContain(who.email)
    expect(page).toContain('Not confirmed yet')
    const [mail] = await mailsTo(world(), wanted)
    const link = linkIn(mail)
    expect((await open(link, who)).text).toContain(wanted)
    const other = await addSession(who)
    const confirmed = await confirm(link, who)
    expect(confirmed.text).toContain(`You sign in with ${wanted} from now on.`)
    const changed = (await who.get('/account')).text
    expect([who.email, other].map((text) => changed.includes(text))).toEqual([false, false])
    expect((await confirm(link, who)).status).toBe(404)
    expect((await mailsTo(world(), who.email)).map(({ subject }) => subject)).toEqual([
      'A change of your e-mail address was requested',
      'Your e-mail address was changed',
    ])
    expect(await actsOf(who)).toEqual(['person.request_email_change', 'person.change_email'])
  })

  it('follows only the newest link, within a day', async () => {
    const who = await visitor()
    const [first, second] = [address(), address()]
    await who.submit('/account/email', { email: first })
    await who.submit('/account/email', { email: second })
    expect((await open(linkIn((await mailsTo(world(), first))[0]), who)).status).toBe(404)
    const link = linkIn((await mailsTo(world(), second))[0])
    expect((await open(link, who)).status).toBe(200)
    await world().database.sql`
      update kernel.person_links
      set expires_at = now() - interval '1 second'
      where person_id = ${who.personId}`
    expect((await open(link, who)).status).toBe(404)
    expect((await confirm(link, who)).status).toBe(404)
  })

  it('is confirmed by no one but the person who asked', async () => {
    const [who, other] = [await visitor(), await visitor()]
    const wanted = address()
    await who.submit('/account/email', { email: wanted })
    const link = linkIn((await mailsTo(world(), wanted))[0])
    expect((await confirm(link)).headers.get('location')).toMatch(/^\/sign-in\?next=/)
    expect((await confirm(link, other)).status).toBe(403)
    expect((await who.get('/account')).text).toContain(who.email)
    expect((await confirm(link, who)).status).toBe(200)
  })

  it('is given to one of two people who confirm it at once', async () => {
    const both = [await visitor(), await visitor()]
    const wanted = address()
    for (const who of both) await who.submit('/account/email', { email: wanted })
    const links = (await mailsTo(world(), wanted)).map(linkIn)
    const answers = await Promise.all(both.map((who, index) => confirm(links[index] ?? '', who)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
  })

  it('is not changed by a link from before a new password or authenticator app', async () => {
    const who = await visitor()
    const wanted = address()
    await who.submit('/account/email', { email: wanted })
    await who.submit('/account/password', { currentPassword: password, password: newPassword })
    expect((await confirm(linkIn((await mailsTo(world(), wanted))[0]), who)).status).toBe(404)
    await who.submit('/account/email', { email: wanted })
    const shown = await who.get('/account/authenticator')
    const secret = /<code>([A-Z2-7]+)<\/code>/.exec(shown.text)?.[1] ?? ''
    const fields = { ...fieldsOf(shown.text), code: totp(secret, new Date()) }
    const done = await who.post('/account/authenticator', fields)
    handOut(secret, ...(/id="backup-codes">([^<]+)</.exec(done.text)?.[1]?.split('\n') ?? []))
    expect((await confirm(linkIn((await mailsTo(world(), wanted))[1]), who)).status).toBe(404)
  })

  it('of someone else is answered alike, and not changed', async () => {
    const [who, other] = [await visitor(), await visitor()]
    const answer = await who.submit('/account/email', { email: other.email })
    expect(answer.status).toBe(303)
    expect((await mailsTo(world(), other.email)).map(({ subject }) => subject)).toEqual([
      'This e-mail address has an account already',
    ])
    expect((await who.get('/account')).text).toContain('Not confirmed yet')
    expect((await who.submit('/account/email', { email: 'no address' })).status).toBe(422)
  })
})

it.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130.0 Safari/537.36 Edg/130.0',
    'Edge on Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Linux; Android 15) Chrome/130.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['curl/8.5.0', 'Unknown device'],
  [null, 'Unknown device'],
])('names %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name)
})
