// Registrations after the request: lost answers, and processes that ended between two steps. Tests
// control the time; the provider is the simulator, over HTTP.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import { Decimal } from '../../../src/kernel/money/decimal.ts'
import { listDiscrepancies } from '../../../src/merchant/discrepancies/discrepancy-store.ts'
import { claimSeconds, sealAccountNumber } from '../../../src/merchant/recipients/recipient.ts'
import { findRecipient, insertRecipient } from '../../../src/merchant/recipients/recipient-store.ts'
import { registerAgain } from '../../../src/merchant/recipients/register-recipient.ts'
import { resolveRecipientsSchedule } from '../../../src/merchant/recipients/resolve-recipients.ts'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { shop } from '../../support/payments.ts'
import { recipientBody } from '../../support/recipients.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock()
const world = useWorld({ clock })
const { signal } = new AbortController()

let tenant: Tenant
let key: string

beforeEach(async () => {
  const owner = await shop(world())
  tenant = owner.tenant
  key = owner.key
})

afterEach(() => expectInvariants(world().database))

const path = '/merchant/api/v1/split-recipients'
const post = (body: object) => world().call('POST', path, { key, body })
const rule = (wanted: Record<string, unknown>) =>
  world().simulator.rule(tenant, { count: 1, ...wanted })
const resolve = () => resolveRecipientsSchedule.run(world().context, signal)
const resolveAfter = async (seconds: number) => {
  clock.advance(seconds * 1000)
  await resolve()
}

const stored = async () => {
  const rows = await world().database.sql<{ id: string }[]>`
    select id
    from merchant.split_recipients
    where business_id = ${tenant.businessId}`
  return Promise.all(rows.map(({ id }) => findRecipient(world().database.sql, tenant, id)))
}
const subaccounts = async () =>
  world().database.sql<{ subaccountId: string }[]>`
    select subaccount_id
    from simulator.subaccounts
    where business_id = ${tenant.businessId}`
const acts = async () =>
  world().database.sql<{ action: string; actorId: string }[]>`
    select action, actor_id
    from kernel.audit_log
    where business_id = ${tenant.businessId}
      and object_kind = 'split_recipient'
    order by id`

describe('a registration whose answer was lost', () => {
  it('is found at the provider and adopted: one recipient, one sub-account', async () => {
    await rule({ operation: 'POST /subaccounts', effect: 'drop_after' })
    await rule({ operation: 'GET /subaccounts', effect: 'drop' })
    expect((await post(recipientBody())).status).toBe(502)
    await resolveAfter(15)
    const [made] = await subaccounts()
    expect(await stored()).toMatchObject([{ subaccountId: made?.subaccountId, sends: 1 }])
    expect(await acts()).toMatchObject([
      { action: 'split_recipient.create' },
      { action: 'split_recipient.register', actorId: 'resolve recipients' },
    ])
    await resolveAfter(7200)
    expect(await subaccounts()).toHaveLength(1)
  })

  it('that never arrived is sent again, but not before the provider would show a first', async () => {
    await rule({ operation: 'POST /subaccounts', effect: 'drop' })
    expect((await post(recipientBody())).status).toBe(502)
    await resolveAfter(59)
    expect(await stored()).toMatchObject([{ subaccountId: null, sends: 1 }])
    expect(await subaccounts()).toHaveLength(0)
    await resolveAfter(30)
    expect(await stored()).toMatchObject([{ subaccountId: expect.any(String), sends: 2 }])
    expect(await subaccounts()).toHaveLength(1)
  })

  it('is looked at again and again while the provider says nothing, ever more seldom', async () => {
    await rule({ operation: 'POST /subaccounts', effect: 'drop' })
    await world().simulator.rule(tenant, { operation: 'GET /subaccounts', effect: 'drop' })
    await post(recipientBody())
    await resolveAfter(15)
    const [first] = await stored()
    await resolveAfter(3600)
    const [later] = await stored()
    expect(later).toMatchObject({ subaccountId: null, sends: 1, claimedUntil: null })
    const gap = (recipient = first) =>
      (recipient?.nextLookAt?.getTime() ?? 0) - clock.now().getTime()
    expect(gap(later)).toBeGreaterThan(600_000)
    expect(gap(later)).toBeLessThanOrEqual(3_600_000)
    await world().simulator.removeRules(tenant)
    await resolveAfter(3600)
    expect(await stored()).toMatchObject([{ subaccountId: expect.any(String), sends: 2 }])
  })

  it('that the provider refuses at last is dropped, and its reference is free', async () => {
    const body = recipientBody({ accountNumber: '0690000000' })
    await rule({ operation: 'POST /subaccounts', effect: 'drop' })
    expect((await post(body)).status).toBe(502)
    await resolveAfter(90)
    expect(await stored()).toEqual([])
    const last = (await acts()).at(-1)
    expect(last).toEqual({ action: 'split_recipient.refuse', actorId: 'resolve recipients' })
    expect((await post({ ...body, accountNumber: '0690000031' })).status).toBe(200)
  })

  it('is finished once by resolvers and repeats that come together', async () => {
    const body = recipientBody()
    await rule({ operation: 'POST /subaccounts', effect: 'drop' })
    expect((await post(body)).status).toBe(502)
    clock.advance(90_000)
    const answers = await Promise.all([resolve(), post(body), resolve(), post(body), resolve()])
    expect([answers[1]?.status, answers[3]?.status]).toEqual([200, 200])
    expect(await subaccounts()).toHaveLength(1)
    expect((await acts()).map(({ action }) => action)).toEqual([
      'split_recipient.create',
      'split_recipient.register',
    ])
  })
})

describe('a process that ended', () => {
  // The row as it is committed before the provider is asked.
  async function reserved(accountNumber = String(8_100_000_000 + (clock.now().getTime() % 9999))) {
    const { context } = world()
    const id = context.ids.uuid()
    const now = clock.now()
    await context.database.transaction((tx) =>
      insertRecipient(tx, tenant, {
        id,
        externalReference: 'stall',
        name: 'Market stall',
        bankCode: '044',
        accountNumberSealed: sealAccountNumber(id, accountNumber, context.secrets),
        accountName: null,
        splitPercent: '10',
        mobile: '+2348000000000',
        subaccountId: null,
        provider: null,
        verified: false,
        disabled: false,
        sends: 1,
        sentAt: now,
        claimedUntil: new Date(now.getTime() + claimSeconds * 1000),
        nextLookAt: null,
        createdAt: now,
        updatedAt: now,
      }),
    )
    return { id, accountNumber }
  }

  it('before the provider was asked leaves a row that the resolver registers when its claim is over', async () => {
    await reserved()
    await resolveAfter(claimSeconds - 1)
    expect(await subaccounts()).toHaveLength(0)
    await resolveAfter(1)
    expect(await subaccounts()).toHaveLength(1)
    expect(await stored()).toMatchObject([{ subaccountId: expect.any(String), sends: 2 }])
  })

  it('after the provider had acted leaves a sub-account that is adopted', async () => {
    const { accountNumber } = await reserved()
    const provider = await world().context.providerFor(tenant)
    await provider.createSubaccount({
      reference: 'lost',
      bankCode: '044',
      accountNumber,
      name: 'Market stall',
      mobile: '+2348000000000',
      country: 'NG',
      recipientPercent: new Decimal(10n, 0),
    })
    await resolveAfter(claimSeconds)
    const [made, ...others] = await subaccounts()
    expect(others).toEqual([])
    expect(await stored()).toMatchObject([{ subaccountId: made?.subaccountId, sends: 1 }])
  })

  // covers: POST /split-recipients: `externalReference`
  it('is repeated by the caller, who gets the one recipient', async () => {
    const { id, accountNumber } = await reserved()
    clock.advance(claimSeconds * 1000)
    const body = recipientBody({ externalReference: 'stall', accountNumber })
    const answer = await post(body)
    expect([answer.status, answer.body.id]).toEqual([200, id])
    expect(await subaccounts()).toHaveLength(1)
  })

  it('and lives after all changes nothing that others have finished', async () => {
    const { id } = await reserved()
    clock.advance(claimSeconds * 1000)
    const actor = { kind: 'system', name: 'test', ...tenant } as const
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => registerAgain(world().context, actor, id)),
    )
    const kinds = answers.map(({ kind }) => kind)
    expect(kinds).toContain('registered')
    expect(kinds.filter((kind) => kind !== 'registered' && kind !== 'busy')).toEqual([])
    expect(await subaccounts()).toHaveLength(1)
    expect((await acts()).map(({ action }) => action)).toEqual(['split_recipient.register'])
  })
})

describe('a recipient whom the provider neither registers nor refuses', () => {
  const day = 24 * 60 * 60
  const breaks = (isOpen: boolean) =>
    listDiscrepancies(world().database.sql, { ...tenant, isOpen }, 10)

  it('is a break after three days, which its registration resolves', async () => {
    await rule({ operation: '*', effect: 'refuse', status: 500, count: 1_000 })
    expect((await post(recipientBody())).status).toBe(502)
    await resolveAfter(2 * day)
    expect(await breaks(false)).toEqual([])
    await resolveAfter(day)
    const [found] = await stored()
    expect(await breaks(true)).toMatchObject([
      { cause: 'recipient_unresolved', objectId: found?.id },
    ])
    await world().simulator.removeRules(tenant)
    await resolveAfter(day)
    expect((await stored())[0]?.subaccountId).not.toBeNull()
    expect(await breaks(true)).toEqual([])
    expect(await breaks(false)).toMatchObject([{ resolution: 'the provider has registered it' }])
  })
})
