// Changing the members of a business: who can, who confirms, and who is notified.
import { beforeEach, describe, expect, it } from 'vitest'
import { access } from '../../../src/app/access.ts'
import { resetOwnPassword } from '../../../src/kernel/account/reset-own-password.ts'
import type { PersonActor, Role, SystemActor } from '../../../src/kernel/auth/actor.ts'
import { insertPasskey, listPasskeys } from '../../../src/kernel/auth/passkey-store.ts'
import { createPeople, type People } from '../../../src/kernel/auth/people.ts'
import { insertPerson } from '../../../src/kernel/auth/person-store.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { approveApproval } from '../../../src/merchant/approvals/approve-approval.ts'
import { getApproval } from '../../../src/merchant/approvals/get-approval.ts'
import { rejectApproval } from '../../../src/merchant/approvals/reject-approval.ts'
import { requestThreshold } from '../../../src/merchant/approvals/request-threshold.ts'
import { manualClock } from '../../support/clock.ts'
import { password } from '../../support/people.ts'
import { putPerson } from '../../support/put-person.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock(new Date())
const world = useWorld({ clock })

type TestMember = PersonActor & { readonly email: string; readonly codes: string[] }

let people: People
let operator: SystemActor
let owner: TestMember

beforeEach(async () => {
  people = await createPeople(world().context, world().context)
  const businessId = await world().business()
  operator = { kind: 'system', name: 'cli test', businessId, environment: 'live' }
  owner = await member('owner')
})

// Without a password, which takes long to hash.
async function member(role: Role): Promise<TestMember> {
  const { ids, clock: now } = world().context
  const personId = ids.uuid()
  const email = `${personId}@example.com`
  const person = { id: personId, email, name: 'Ada Example', twoFactorEnabled: false }
  await world().database.transaction(async (tx) => {
    await insertPerson(tx, { ...person, createdAt: now.now() })
    await people.addMembership(tx, operator.businessId, personId, role)
  })
  const { businessId } = operator
  return { kind: 'person', personId, role, businessId, environment: 'live', email, codes: [] }
}

async function memberWithPassword(role: Role): Promise<TestMember> {
  const { personId, email, backupCodes = [] } = await putPerson(world().context)
  const { businessId } = operator
  await world().database.transaction((tx) => people.addMembership(tx, businessId, personId, role))
  const codes = [...backupCodes]
  return { kind: 'person', personId, role, businessId, environment: 'live', email, codes }
}

type By = PersonActor | SystemActor

const changeRole = (by: By, { personId }: PersonActor, role: Role, more: object = {}) =>
  runOperation(access.changeRole, world().context, by, { personId, role, ...more })
const remove = (by: By, { personId }: PersonActor) =>
  runOperation(access.removeMember, world().context, by, { personId })
const resetFactor = (by: By, { personId }: PersonActor, more: object = {}) =>
  runOperation(access.resetSecondFactor, world().context, by, { personId, ...more })
const resetPassword = (by: By, { personId }: PersonActor) =>
  runOperation(access.resetPassword, world().context, by, { personId })
const approve = (by: PersonActor, id: string | null) =>
  runOperation(approveApproval, world().context, by, { id: id ?? '' })
const stateOf = async (id: string | null) =>
  (await runOperation(getApproval, world().context, operator, { id: id ?? '' })).state
const denied = { kind: 'permission_denied' }

async function roleOf({ personId }: PersonActor): Promise<Role | undefined> {
  const members = await runOperation(access.listMembers, world().context, operator, {})
  return members.find((one) => one.personId === personId)?.role
}

async function acts(): Promise<string[]> {
  const rows = await world().database.sql<{ action: string }[]>`
    select action
    from kernel.audit_log
    where business_id = ${operator.businessId}
      and action like any (array['membership.change_role', 'membership.delete', 'person.%'])
    order by id`
  return rows.map(({ action }) => action)
}

async function mails(): Promise<{ subject: string; recipients: string[]; bodyText: string }[]> {
  return world().database.sql<{ subject: string; recipients: string[]; bodyText: string }[]>`
    select subject, recipients, body_text
    from kernel.mails
    where business_id = ${operator.businessId}
    order by id`
}

async function signIn({ email, codes }: TestMember, given = password): Promise<Headers> {
  const caller = { headers: new Headers(), address: '203.0.113.9' }
  const first = await people.signIn(caller, email, given)
  const headers = cookiesOf(first.setCookies)
  if (first.kind !== 'code_needed') return headers
  // Codes of an app would go by the time of the machine.
  const code = codes.pop() ?? ''
  return cookiesOf((await people.finishSignIn({ ...caller, headers }, code)).setCookies)
}

function cookiesOf(lines: readonly string[]): Headers {
  return new Headers({ cookie: lines.map((line) => line.split(';')[0]).join('; ') })
}

describe('a role', () => {
  it('is raised at once by the only owner, who is told by mail', async () => {
    const viewer = await member('viewer')
    expect(await changeRole(owner, viewer, 'approver')).toMatchObject({
      role: 'approver',
      approvalId: null,
    })
    expect(await roleOf(viewer)).toBe('approver')
    expect(await acts()).toEqual(['membership.change_role'])
    expect(await mails()).toMatchObject([
      { subject: `${viewer.email} is now approver`, recipients: [owner.email] },
    ])
  })

  it('that no other owner confirmed approves nothing for a day', async () => {
    const approver = { ...(await member('viewer')), role: 'approver' as const }
    await changeRole(owner, approver, 'owner')
    await changeRole(operator, approver, 'approver')
    const threshold = { operation: 'refund', currency: 'NGN', amountMinor: 100n } as const
    const { approvalId } = await runOperation(requestThreshold, world().context, owner, threshold)
    await expect(approve(approver, approvalId)).rejects.toThrow('No other owner confirmed')
    clock.advance(24 * 60 * 60 * 1000 - 1)
    await expect(approve(approver, approvalId)).rejects.toMatchObject(denied)
    clock.advance(1)
    await approve(approver, approvalId)
    expect(await stateOf(approvalId)).toBe('approved')
  })

  it('that can approve waits for another owner, and all owners are told', async () => {
    const second = await member('owner')
    const viewer = await member('viewer')
    const { approvalId, role } = await changeRole(owner, viewer, 'admin')
    expect(role).toBe('viewer')
    expect(await roleOf(viewer)).toBe('viewer')
    const [mail] = await mails()
    expect(mail?.recipients.toSorted()).toEqual([owner.email, second.email].toSorted())
    const page = `https://tillbook.example/b/${operator.businessId}/approvals/${approvalId}`
    expect(mail?.bodyText).toContain(page)
    await approve(second, approvalId)
    expect(await roleOf(viewer)).toBe('admin')
    expect(await stateOf(approvalId)).toBe('approved')
    expect((await mails()).map(({ subject }) => subject)).toEqual([
      `Please confirm: ${viewer.email} as admin`,
      `${viewer.email} is now admin`,
    ])
  })

  it('is confirmed by no one but another owner', async () => {
    const second = await member('owner')
    const viewer = await member('viewer')
    const { approvalId } = await changeRole(owner, viewer, 'owner')
    for (const who of [owner, await member('admin'), await member('approver'), viewer]) {
      await expect(approve(who, approvalId)).rejects.toMatchObject(denied)
    }
    await runOperation(rejectApproval, world().context, second, {
      id: approvalId ?? '',
      reason: 'No',
    })
    expect(await roleOf(viewer)).toBe('viewer')
  })

  it('is not confirmed by the owner whom it is about', async () => {
    const second = await member('owner')
    const third = await member('owner')
    const viewer = await member('viewer')
    const { approvalId } = await changeRole(owner, viewer, 'admin')
    await changeRole(operator, viewer, 'owner', { withoutConfirmation: true })
    await expect(approve({ ...viewer, role: 'owner' }, approvalId)).rejects.toMatchObject(denied)
    await expect(approve(second, approvalId)).rejects.toMatchObject({ kind: 'conflict' })
    expect(await stateOf(approvalId)).toBe('void')
    expect(await roleOf(third)).toBe('owner')
  })

  it('is void when the owner who asked for it has left', async () => {
    const second = await member('owner')
    const third = await member('owner')
    const viewer = await member('viewer')
    const { approvalId } = await changeRole(owner, viewer, 'admin')
    await remove(second, owner)
    await expect(approve(third, approvalId)).rejects.toMatchObject({ kind: 'conflict' })
    expect([await stateOf(approvalId), await roleOf(viewer)]).toEqual(['void', 'viewer'])
  })

  it('is lowered at once, even if there are other owners', async () => {
    const second = await member('owner')
    expect(await changeRole(owner, second, 'member')).toMatchObject({ approvalId: null })
    expect(await roleOf(second)).toBe('member')
    await changeRole(owner, second, 'viewer')
    expect(await roleOf(second)).toBe('viewer')
  })

  it('that the operator raises waits for an owner too, unless told otherwise', async () => {
    const viewer = await member('viewer')
    const { approvalId } = await changeRole(operator, viewer, 'approver')
    expect(await roleOf(viewer)).toBe('viewer')
    await approve(owner, approvalId)
    expect(await roleOf(viewer)).toBe('approver')
    await changeRole(operator, viewer, 'owner', { withoutConfirmation: true })
    expect(await roleOf(viewer)).toBe('owner')
    expect((await mails()).at(-1)?.bodyText).toContain('Done by the operator of the server.')
    const waived = changeRole(owner, await member('viewer'), 'admin', { withoutConfirmation: true })
    await expect(waived).rejects.toMatchObject(denied)
  })

  it('of the last owner stays, also when two owners act at the same moment', async () => {
    await expect(changeRole(owner, owner, 'admin')).rejects.toThrow('needs an owner')
    await expect(remove(operator, owner)).rejects.toThrow('needs an owner')
    const second = await member('owner')
    const both = await Promise.allSettled([
      remove(owner, second),
      changeRole(second, owner, 'viewer'),
    ])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('that someone has already is no change', async () => {
    expect(await changeRole(owner, owner, 'owner')).toMatchObject({ approvalId: null })
    expect(await acts()).toEqual([])
  })

  it.each(['admin', 'approver', 'member', 'viewer'] as const)('is not for an %s', async (role) => {
    const who = await member(role)
    for (const act of [
      changeRole(who, owner, 'viewer'),
      remove(who, owner),
      resetFactor(who, owner),
      resetPassword(who, owner),
      runOperation(access.endSessions, world().context, who, { personId: owner.personId }),
    ]) {
      await expect(act).rejects.toMatchObject(denied)
    }
  })

  it('is one of this business', async () => {
    const elsewhere = { ...operator, businessId: await world().business() }
    await expect(changeRole(elsewhere, owner, 'viewer')).rejects.toMatchObject({
      kind: 'not_found',
    })
    await expect(remove(elsewhere, owner)).rejects.toMatchObject({ kind: 'not_found' })
  })
})

describe('someone new', () => {
  const add = (role: Role, more: object = {}) => {
    const email = `${world().context.ids.uuid()}@example.com`
    const wanted = { email, name: 'Grace Example', role, ...more }
    return runOperation(access.addPerson, world().context, operator, wanted)
  }

  it('is a viewer until an owner confirms a role that can approve', async () => {
    const { id, role, approvalId } = await add('approver')
    expect(role).toBe('viewer')
    await approve(owner, approvalId)
    expect(await roleOf({ ...owner, personId: id })).toBe('approver')
  })

  it('has another role at once, and the owners are told', async () => {
    expect(await add('member')).toMatchObject({ role: 'member', approvalId: null })
    expect(await add('admin', { withoutConfirmation: true })).toMatchObject({ role: 'admin' })
    expect((await mails()).map(({ recipients }) => recipients)).toEqual([
      [owner.email],
      [owner.email],
    ])
  })
})

describe('someone who is removed', () => {
  it('is signed out at once and belongs to the business no more', async () => {
    const admin = await memberWithPassword('admin')
    const headers = await signIn(admin)
    expect(await people.findSession(headers)).toBeDefined()
    expect(await remove(owner, admin)).toMatchObject({ endedSessions: 1, email: admin.email })
    expect(await people.findSession(headers)).toBeUndefined()
    expect(await people.listMemberships(admin.personId)).toEqual([])
    expect(await acts()).toEqual(['membership.delete'])
    await expect(remove(owner, admin)).rejects.toMatchObject({ kind: 'not_found' })
  })

  it('leaves keys behind, which work and are listed for review', async () => {
    const admin = await member('admin')
    const made = { businessId: operator.businessId, createdBy: admin.personId }
    const used = await world().key({ service: 'books', ...made })
    const revoked = await world().key({ service: 'books', ...made })
    await runOperation(access.revokeApiKey, world().context, operator, { id: revoked.id })
    const { keysToReview } = await remove(owner, admin)
    expect(keysToReview.map(({ id }) => id)).toEqual([used.id])
    expect((await mails()).at(-1)?.bodyText).toContain(keysToReview[0]?.hint)
    expect((await world().call('GET', '/books/api/v1/accounts', { key: used.text })).status).toBe(
      200,
    )
    const keys = await runOperation(access.listApiKeys, world().context, operator, {})
    expect(keys.every(({ isCreatorGone }) => isCreatorGone)).toBe(true)
  })
})

describe('the sessions of a member', () => {
  it('end when an owner ends them', async () => {
    const viewer = await memberWithPassword('viewer')
    const headers = await signIn(viewer)
    const { personId } = viewer
    const ended = await runOperation(access.endSessions, world().context, owner, { personId })
    expect(ended).toMatchObject({ email: viewer.email, endedSessions: 1 })
    expect(await people.findSession(headers)).toBeUndefined()
    expect(await acts()).toEqual(['person.end_sessions'])
  })
})

describe('a password', () => {
  it('is replaced by a random one, which is shown once', async () => {
    const viewer = await memberWithPassword('viewer')
    const headers = await signIn(viewer)
    const { personId } = viewer
    await world().database.transaction((tx) =>
      insertPasskey(tx, {
        ...{ personId, id: personId, credentialId: personId, publicKey: Buffer.alloc(1) },
        ...{ counter: 0n, transports: [], name: 'Phone', createdAt: clock.now() },
      }),
    )
    const { password: fresh } = await resetPassword(operator, viewer)
    expect(await listPasskeys(world().database.sql, personId)).toEqual([])
    expect(await people.findSession(headers)).toBeUndefined()
    expect(await people.findSession(await signIn(viewer))).toBeUndefined()
    expect(await people.findSession(await signIn(viewer, fresh ?? ''))).toBeDefined()
    expect(await acts()).toEqual(['person.reset_password'])
    const [mail] = await mails()
    expect(mail?.recipients.toSorted()).toEqual([owner.email, viewer.email].toSorted())
    expect(mail?.bodyText).not.toContain(fresh ?? '')
  })

  it('is reset by an owner with a link that only the member gets', async () => {
    const viewer = await memberWithPassword('viewer')
    expect(await resetPassword(owner, viewer)).toMatchObject({ password: null })
    expect(await people.findSession(await signIn(viewer))).toBeUndefined()
    const [mail] = await world().database.sql<{ recipients: string[]; bodyText: string }[]>`
      select recipients, body_text
      from kernel.mails
      where subject = 'Choose a new password'
        and ${viewer.email} = any (recipients)`
    expect(mail?.recipients).toEqual([viewer.email])
    const token = /\/reset-password\/(\S+)/.exec(mail?.bodyText ?? '')?.[1] ?? ''
    const chosen = 'a new and long password'
    expect(await resetOwnPassword(world().context, token, chosen)).toBe(true)
    expect(await people.findSession(await signIn(viewer, chosen))).toBeDefined()
  })

  it('is reset, and people are invited, a limited number of times an hour', async () => {
    const viewer = await member('viewer')
    for (let count = 0; count < 20; count += 1) await resetPassword(owner, viewer)
    await expect(resetPassword(owner, viewer)).rejects.toMatchObject({ kind: 'rate_limited' })
    const invitation = { email: 'new@example.com', role: 'viewer' } as const
    const invite = () => runOperation(access.invitePerson, world().context, owner, invitation)
    await expect(invite()).rejects.toMatchObject({ kind: 'rate_limited' })
    clock.advance(61 * 60 * 1000)
    expect(await invite()).toMatchObject({ email: 'new@example.com' })
  })

  it('of someone who works for another business too is reset by the operator alone', async () => {
    const viewer = await member('viewer')
    const elsewhere = await world().business()
    await world().database.transaction((tx) =>
      people.addMembership(tx, elsewhere, viewer.personId, 'owner'),
    )
    await expect(resetPassword(owner, viewer)).rejects.toMatchObject(denied)
    await expect(resetFactor(owner, viewer)).rejects.toMatchObject(denied)
    expect(await resetPassword(operator, viewer)).toMatchObject({ email: viewer.email })
  })
})

describe('a second factor', () => {
  it('is removed with its sessions, and a new one has to be set up', async () => {
    const admin = await memberWithPassword('admin')
    const before = await signIn(admin)
    expect(await resetFactor(owner, admin)).toMatchObject({ approvalId: null })
    expect(await people.findSession(before)).toBeUndefined()
    const session = await people.findSession(await signIn(admin))
    expect(session).toMatchObject({ secondFactor: 'missing' })
    expect(await acts()).toEqual(['person.reset_second_factor'])
    expect((await mails())[0]?.recipients.toSorted()).toEqual([owner.email, admin.email].toSorted())
  })

  it('is reset with the confirmation of another owner than the one who lost it', async () => {
    const second = await member('owner')
    // No one else could confirm it.
    expect(await resetFactor(owner, second)).toMatchObject({ approvalId: null })
    const third = await memberWithPassword('owner')
    const { approvalId } = await resetFactor(owner, third)
    expect(await people.findSession(await signIn(third))).toMatchObject({ secondFactor: 'proven' })
    await expect(approve(third, approvalId)).rejects.toMatchObject(denied)
    await expect(approve(owner, approvalId)).rejects.toMatchObject(denied)
    const fourth = await member('owner')
    await approve(fourth, approvalId)
    expect(await people.findSession(await signIn(third))).toMatchObject({ secondFactor: 'missing' })
  })

  it('keeps its owner from approving for a day when someone else reset it', async () => {
    const second = await member('owner')
    await resetFactor(owner, second)
    const threshold = { operation: 'refund', currency: 'NGN', amountMinor: 100n } as const
    const { approvalId } = await runOperation(requestThreshold, world().context, owner, threshold)
    await expect(approve(second, approvalId)).rejects.toThrow('You can approve again from')
    clock.advance(24 * 60 * 60 * 1000 - 1)
    await expect(approve(second, approvalId)).rejects.toMatchObject(denied)
    clock.advance(1)
    await approve(second, approvalId)
    expect(await stateOf(approvalId)).toBe('approved')
  })

  it('and password are not reset by oneself', async () => {
    await expect(resetFactor(owner, owner)).rejects.toThrow('in My account')
    await expect(resetPassword(owner, owner)).rejects.toThrow('in My account')
    expect(await acts()).toEqual([])
  })

  it('that was reset does not keep its owner from rejecting', async () => {
    const second = await member('owner')
    await resetFactor(owner, second)
    const viewer = await member('viewer')
    const { approvalId } = await changeRole(owner, viewer, 'admin')
    await runOperation(rejectApproval, world().context, second, {
      id: approvalId ?? '',
      reason: null,
    })
    expect(await stateOf(approvalId)).toBe('rejected')
  })
})
