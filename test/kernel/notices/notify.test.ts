// Who is told about the business by mail and in the application, and that each fact is told once.
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import type { PersonActor } from '../../../src/kernel/auth/actor.ts'
import type { Environment } from '../../../src/kernel/basics/tenant.ts'
import { listNotices } from '../../../src/kernel/notices/list-notices.ts'
import { listNotificationChoices } from '../../../src/kernel/notices/list-notification-choices.ts'
import type { Notice } from '../../../src/kernel/notices/notice.ts'
import { mailNoticeJob, notify } from '../../../src/kernel/notices/notify.ts'
import { setNotificationChoices } from '../../../src/kernel/notices/set-notification-choices.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { workerFor } from '../../support/jobs.ts'
import { member } from '../../support/payouts.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

let owner: PersonActor
let admin: PersonActor
let viewer: PersonActor

beforeEach(async () => {
  const tenant = { businessId: await world().business(), environment: 'live' } as const
  owner = await member(world(), tenant, 'owner')
  admin = await member(world(), tenant, 'admin')
  viewer = await member(world(), tenant, 'viewer')
})

async function tell(wanted: Partial<Notice> = {}, environment: Environment = 'live') {
  const notice: Notice = {
    kind: 'transfers',
    fact: randomUUID(),
    subject: 'NGN 10.00 was paid out',
    lines: ['NGN 10.00 was paid out.'],
    path: '/payouts',
    ...wanted,
  }
  const { context, database } = world()
  const tenant = { businessId: owner.businessId, environment }
  await database.transaction((tx) => notify(tx, context, tenant, notice))
  await workerFor(context, { jobs: [mailNoticeJob] }).drain()
}

async function mails() {
  return world().database.sql<{ recipients: string[]; bodyText: string }[]>`
    select recipients, body_text
    from kernel.mails
    where business_id = ${owner.businessId}`
}

async function recipients(): Promise<string[]> {
  return (await mails()).flatMap((mail) => mail.recipients).toSorted()
}

const addresses = (...people: PersonActor[]) =>
  people.map(({ personId }) => `${personId}@example.com`).toSorted()

const choose = (actor: PersonActor, kinds: ('transfers' | 'failures')[]) =>
  runOperation(setNotificationChoices, world().context, actor, { kinds })

const shownTo = async (actor: PersonActor) =>
  (await runOperation(listNotices, world().context, actor, {})).notices.map(
    ({ subject }) => subject,
  )

it('shows it in the application to everyone but viewers, unless they choose otherwise', async () => {
  await tell({ subject: 'First' })
  expect(await shownTo(owner)).toEqual(['First'])
  expect(await shownTo(admin)).toEqual(['First'])
  expect(await shownTo(viewer)).toEqual([])
  const set = (actor: PersonActor, shownKinds: 'transfers'[]) =>
    runOperation(setNotificationChoices, world().context, actor, { kinds: [], shownKinds })
  await set(owner, [])
  await set(viewer, ['transfers'])
  await tell({ subject: 'Second', exceptPersonId: admin.personId })
  expect(await shownTo(owner)).toEqual(['First'])
  expect(await shownTo(admin)).toEqual(['First'])
  expect(await shownTo(viewer)).toEqual(['Second'])
})

it('mails owners by default, and others who want it', async () => {
  await tell()
  expect(await recipients()).toEqual(addresses(owner))
  await choose(viewer, ['transfers'])
  await choose(owner, ['failures'])
  await tell()
  expect(await recipients()).toEqual(addresses(owner, viewer))
})

it('mails required ones to the roles that they are for, except the person who caused it', async () => {
  await choose(admin, [])
  await tell({
    kind: 'approvals',
    roles: ['owner', 'admin', 'approver'],
    exceptPersonId: owner.personId,
  })
  expect(await recipients()).toEqual(addresses(admin))
})

it('links to the fact and to the choice of mails', async () => {
  await tell()
  const [mail] = await mails()
  const base = `https://tillbook.example/b/${owner.businessId}`
  expect(mail?.bodyText).toContain(`${base}/payouts\n`)
  expect(mail?.bodyText).toContain(`${base}/settings/notifications\n`)
})

it('mails a fact once, however often it is told', async () => {
  await tell({ fact: 'payout.completed/1' })
  await tell({ fact: 'payout.completed/1' })
  expect(await recipients()).toEqual(addresses(owner))
})

it('tells nothing about the sandbox', async () => {
  await tell({}, 'test')
  expect(await mails()).toEqual([])
  expect(await shownTo(owner)).toEqual([])
})

it('shows what a person gets, and what can’t be switched off', async () => {
  const shown = async (actor: PersonActor) =>
    (await runOperation(listNotificationChoices, world().context, actor, {}))
      .filter(({ isOn }) => isOn)
      .map(({ kind }) => kind)
  expect(await shown(viewer)).toEqual(['approvals', 'bank_account', 'security'])
  await choose(owner, ['transfers'])
  expect(await shown(owner)).toEqual(['approvals', 'bank_account', 'security', 'transfers'])
  const wrong = { kinds: ['approvals'] } as never
  await expect(
    runOperation(setNotificationChoices, world().context, owner, wrong),
  ).rejects.toMatchObject({ kind: 'invalid_request' })
})
