import { beforeEach, describe, expect, it } from 'vitest'
import { access } from '../../../src/app/access.ts'
import { createBusinessWithOwner } from '../../../src/app/create-business.ts'
import type { Actor } from '../../../src/kernel/auth/actor.ts'
import { createPeople } from '../../../src/kernel/auth/people.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { totp } from '../../support/totp.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let actor: Actor
let email: string

beforeEach(async () => {
  const businessId = await world().business()
  actor = { kind: 'system', name: 'test', businessId, environment: 'live' }
  email = `${world().context.ids.uuid()}@example.com`
})

const add = (by: Actor = actor) =>
  runOperation(access.addPerson, world().context, by, {
    email: email.toUpperCase(),
    name: ' Ada Example ',
    role: 'approver',
  })
const addExisting = (by: Actor = actor) =>
  runOperation(access.addExistingPerson, world().context, by, { email, role: 'viewer' })
const members = (by: Actor = actor) => runOperation(access.listMembers, world().context, by, {})

describe('a person who is added', () => {
  it('is a member, and can sign in with what was shown', async () => {
    const { password, totpSecret, otpauthUrl, backupCodes, ...added } = await add()
    expect(added).toEqual({
      ...{ id: expect.any(String), email, name: 'Ada Example', role: 'approver' },
      approvalId: null,
    })
    expect(await members()).toEqual([
      {
        ...{ personId: added.id, email, name: 'Ada Example', role: 'approver' },
        hasSecondFactor: true,
      },
    ])
    const people = await createPeople(world().context, world().context)
    const code = totp(totpSecret, new Date())
    const signsIn = { personId: added.id }
    expect(await people.verifyPasswordAndCode(email, password, code)).toEqual(signsIn)
    expect(otpauthUrl).toBe(`otpauth://totp/Tillbook:${email}?secret=${totpSecret}&issuer=Tillbook`)
    expect(backupCodes).toHaveLength(10)
    for (const backupCode of backupCodes) {
      expect(await people.verifyPasswordAndCode(email, password, backupCode)).toEqual(signsIn)
    }
  })

  it('is added once', async () => {
    await add()
    await expect(add()).rejects.toThrow(`${email} is already a member of the business.`)
    await expect(addExisting()).rejects.toThrow(`${email} is already a member of the business.`)
  })

  it('is someone else than those who have an account, unless that is meant', async () => {
    const { id } = await add()
    const elsewhere = { ...actor, businessId: await world().business() }
    await expect(add(elsewhere)).rejects.toThrow('already has an account, named Ada Example.')
    expect(await members(elsewhere)).toEqual([])
    expect(await addExisting(elsewhere)).toEqual({
      ...{ id, email, name: 'Ada Example', role: 'viewer', approvalId: null },
    })
    expect(await members(elsewhere)).toMatchObject([{ personId: id, role: 'viewer' }])
  })

  it('has an account, when an existing one is meant', async () => {
    await expect(addExisting()).rejects.toThrow(`There is no account with ${email}.`)
  })

  it('is added by the operator alone, who sees the password', async () => {
    const owner = { ...actor, kind: 'person', personId: 'a', role: 'owner' } as const
    await expect(add(owner)).rejects.toMatchObject({ kind: 'permission_denied' })
    await expect(addExisting(owner)).rejects.toMatchObject({ kind: 'permission_denied' })
  })

  it('is not left without a business when adding fails', async () => {
    const nowhere = { ...actor, businessId: world().context.ids.uuid() }
    await expect(add(nowhere)).rejects.toThrow('foreign key')
    await expect(addExisting()).rejects.toThrow('There is no account')
  })
})

describe('a new business', () => {
  const create = () =>
    createBusinessWithOwner(
      world().context,
      'test',
      {
        ...{ name: 'Corner shop', country: 'NG', baseCurrency: 'NGN' },
        ...{ contactEmail: 'shop@example.com', contactPhone: null },
      },
      { name: 'Grace Example', email },
    )

  it('has its owner', async () => {
    const { businessId, personId } = await create()
    expect(await members({ ...actor, businessId })).toEqual([
      { personId, email, name: 'Grace Example', role: 'owner', hasSecondFactor: true },
    ])
  })

  it('is not made when its owner cannot be', async () => {
    await create()
    const count = () => world().database.sql`select count(*) from kernel.businesses`
    const before = await count()
    await expect(create()).rejects.toThrow('already has an account')
    expect(await count()).toEqual(before)
  })
})
