// People are invited by mail and make their own account.
import { beforeEach, describe, expect, it } from 'vitest'
import { access } from '../../../src/app/access.ts'
import { requireNoApprovalHold } from '../../../src/kernel/auth/approval-hold.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type AppVisitor, appVisitor, fieldsOf } from '../../support/app-visitor.ts'
import { cookiesOf, linkTo, mailsTo, postForm } from '../../support/links.ts'
import { shop } from '../../support/payments.ts'
import { handOut } from '../../support/run-log.ts'
import { totp } from '../../support/totp.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const password = 'four plain english words'
const path = '/settings/invitations/new'

let businessId: string
let owner: AppVisitor
let email: string

beforeEach(async () => {
  businessId = (await shop(world())).tenant.businessId
  owner = await appVisitor(world(), businessId)
  email = `${world().context.ids.uuid()}@example.com`
})

const invite = (role: string, by = owner) => by.submit(path, { email, role })
const open = (link: string) => world().call('GET', link, { headers: { accept: 'text/html' } })
const accept = (link: string, fields: Record<string, string> = {}) =>
  postForm(world(), link, { name: 'Grace Example', password, ...fields })

async function members(): Promise<{ email: string; role: string }[]> {
  return world().database.sql<{ email: string; role: string }[]>`
    select people.email, memberships.role
    from kernel.memberships
    join kernel.people on people.id = memberships.person_id
    where memberships.business_id = ${businessId}
      and people.id <> ${owner.personId}`
}

async function acts(): Promise<string[]> {
  const rows = await world().database.sql<{ action: string }[]>`
    select action
    from kernel.audit_log
    where business_id = ${businessId}
      and object_kind in ('person', 'invitation')
    order by at, id`
  return rows.map(({ action }) => action).slice(1)
}

describe('an invited person', () => {
  it('chooses name and password, and lands on Home', async () => {
    const answer = await invite('member')
    // This server sends no mails, so the inviter sees the link once.
    expect(answer.text).toContain('pass it to')
    const link = await linkTo(world(), email)
    expect(answer.text).toContain(link)
    expect((await owner.get('/settings/team')).text).toContain(email)
    expect((await open(link)).text).toContain('Your name')
    const accepted = await accept(link)
    expect(accepted.headers.get('location')).toBe('/home')
    const home = await world().call('GET', '/home', { headers: cookiesOf(accepted) })
    expect(home.headers.get('location')).toBe(`/b/${businessId}`)
    expect(await members()).toEqual([{ email, role: 'member' }])
    expect((await owner.get('/settings/team')).text).not.toContain('Invited by')
    expect(await acts()).toEqual([
      'invitation.create',
      'membership.create',
      'person.accept_invitation',
    ])
    expect((await open(link)).status).toBe(404)
    expect((await accept(link)).status).toBe(404)
  })

  it('sets up a second factor first, if the role needs one', async () => {
    await invite('admin')
    const accepted = await accept(await linkTo(world(), email))
    const headers = cookiesOf(accepted)
    const home = await world().call('GET', '/home', { headers })
    expect(home.headers.get('location')).toBe('/second-factor')
    const locked = await world().call('GET', `/b/${businessId}/payments`, { headers })
    const setUp = locked.headers.get('location') ?? ''
    expect(setUp).toMatch(/^\/second-factor\?next=/)
    const shown = await world().call('GET', setUp, { headers })
    const secret = /<code>([A-Z2-7]+)<\/code>/.exec(shown.text)?.[1] ?? ''
    handOut(secret)
    const fields = { ...fieldsOf(shown.text), code: totp(secret, new Date()) }
    const done = await postForm(world(), '/second-factor', fields, headers)
    handOut(...(/id="backup-codes">([^<]+)</.exec(done.text)?.[1]?.split('\n') ?? []))
    expect(done.text).toContain(`href="/b/${businessId}/payments"`)
    expect((await world().call('GET', `/b/${businessId}/payments`, { headers })).status).toBe(200)
  })

  it('is a viewer until another owner confirms a role that can approve', async () => {
    await appVisitor(world(), businessId, 'owner')
    await invite('approver')
    await accept(await linkTo(world(), email))
    expect((await members()).find((one) => one.email === email)?.role).toBe('viewer')
    expect((await owner.get('/approvals')).text).toContain('Grace Example')
  })

  it('approves nothing for a day, if no other owner could confirm the role', async () => {
    expect((await owner.get(path)).text).toContain('24 hours after joining')
    await invite('approver')
    await accept(await linkTo(world(), email))
    const held = async () => {
      const { sql } = world().database
      const [found] = await sql<{ personId: string }[]>`
        select id as person_id
        from kernel.people
        where email = ${email}`
      const approver = { businessId, personId: found?.personId ?? '' }
      return requireNoApprovalHold(sql, approver, new Date())
    }
    await expect(held()).rejects.toThrow('No other owner confirmed your role.')
    expect((await mailsTo(world(), owner.email)).map(({ subject }) => subject)).toEqual([
      `${email} is now approver`,
    ])
  })

  it('sees what is wrong and keeps the name', async () => {
    await invite('member')
    const link = await linkTo(world(), email)
    const refused = await accept(link, { password: 'short' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('Use 12 to 256 characters')
    expect(fieldsOf(refused.text).name).toBe('Grace Example')
    expect(await members()).toEqual([])
  })

  it('with an account joins with it, signed in as that person', async () => {
    const other = await shop(world())
    const known = await appVisitor(world(), other.tenant.businessId)
    email = known.email
    await invite('member')
    const link = await linkTo(world(), email)
    const stranger = await open(link)
    expect(stranger.text).toContain(`/sign-in?next=${encodeURIComponent(link)}`)
    expect((await accept(link)).status).toBe(422)
    const wrong = await postForm(world(), link, {}, owner.headers())
    expect(wrong.text).toContain(`This invitation is for ${email}.`)
    const joined = await postForm(world(), link, {}, known.headers())
    expect(joined.headers.get('location')).toBe('/home')
    expect(await members()).toEqual([{ email, role: 'member' }])
  })
})

describe('an invitation', () => {
  it('dies when a newer one is made, when it is withdrawn, and after seven days', async () => {
    await invite('member')
    const first = await linkTo(world(), email)
    await invite('viewer')
    const second = await linkTo(world(), email)
    expect([(await open(first)).status, (await open(second)).status]).toEqual([404, 200])
    const { sql } = world().database
    await sql`
      update kernel.invitations
      set expires_at = now() - interval '1 second'
      where business_id = ${businessId}`
    expect((await accept(second)).status).toBe(404)
    await invite('viewer')
    const third = await linkTo(world(), email)
    const [row] = await sql<{ id: string; days: number }[]>`
      select id, extract(day from expires_at - created_at)::int as days
      from kernel.invitations
      where business_id = ${businessId}`
    expect(row?.days).toBe(7)
    await owner.submit(`/settings/invitations/${row?.id}/withdraw`)
    expect((await accept(third)).status).toBe(404)
    expect(await members()).toEqual([])
    expect(await mailsTo(world(), email)).toHaveLength(3)
  })

  it('dies when the inviter is removed', async () => {
    const inviter = await appVisitor(world(), businessId, 'admin')
    await invite('viewer', inviter)
    const link = await linkTo(world(), email)
    expect((await open(link)).status).toBe(200)
    await owner.submit(`/settings/team/${inviter.personId}/remove`)
    expect((await open(link)).status).toBe(404)
  })

  it('is stored as a hash', async () => {
    await invite('member')
    const token = (await linkTo(world(), email)).split('/').at(-1) ?? ''
    const [row] = await world().database.sql<{ text: string }[]>`
      select invitations::text as text
      from kernel.invitations
      where business_id = ${businessId}`
    expect(row?.text).not.toContain(token)
  })

  it('to a role that can approve is for owners to make', async () => {
    const admin = await appVisitor(world(), businessId, 'admin')
    const refused = await invite('owner', admin)
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('Only an owner can invite')
    expect(fieldsOf(refused.text).email).toBe(email)
    expect((await invite('member', admin)).status).toBe(200)
  })

  it('is not for members of the business', async () => {
    email = owner.email
    expect((await invite('viewer')).text).toContain('is already a member')
  })

  it('is not shown to the inviter where mails are sent', async () => {
    const mailer = { sender: { address: 'a@example.com' }, send: async () => ({}) } as never
    const actor = {
      ...({ kind: 'person', personId: owner.personId, role: 'owner', businessId } as const),
      environment: 'live' as const,
    }
    const context = { ...world().context, mailer }
    const invited = await runOperation(access.invitePerson, context, actor, {
      email,
      role: 'member',
    })
    expect(invited).toEqual({ email, role: 'member', link: null })
  })
})
