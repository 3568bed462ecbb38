// Registering a split recipient: by a call, by one whose answer is lost, and by one that does not
// arrive. Counts the sub-accounts that the provider created for the recipient.
import { expect } from 'vitest'
import { shop } from '../support/payments.ts'
import { recipientBody } from '../support/recipients.ts'
import type { Lane } from './lane.ts'
import { type Operation, operation } from './sweep.ts'

type Subject = Awaited<ReturnType<typeof begin>>

export const recipientOperations: readonly Operation[] = [
  operation({
    name: 'a merchant registers a recipient, and asks again when cut off',
    setUp: begin,
    async run(lane, subject) {
      expect(await register(lane, subject)).toBe(200)
    },
    // Until the claim of the process that died is over, a repeat would wait for it.
    async again(lane, subject) {
      await lane.pass(180)
      expect(await register(lane, subject)).toBe(200)
    },
    end: expectRegistered,
    effects: oneSubaccount,
  }),
  operation({
    name: 'the answer to a registration is lost, and no one asks again',
    async setUp(lane) {
      const subject = await begin(lane)
      await order(lane, subject, 'POST /subaccounts', 'drop_after')
      await order(lane, subject, 'GET /subaccounts', 'drop')
      return subject
    },
    async run(lane, subject) {
      expect(await register(lane, subject)).toBe(502)
    },
    end: expectRegistered,
    effects: oneSubaccount,
  }),
  operation({
    name: 'a registration does not get through, and no one asks again',
    async setUp(lane) {
      const subject = await begin(lane)
      await order(lane, subject, 'POST /subaccounts', 'drop')
      return subject
    },
    async run(lane, subject) {
      expect(await register(lane, subject)).toBe(502)
    },
    end: expectRegistered,
    effects: oneSubaccount,
  }),
]

async function begin({ world }: Lane) {
  return { ...(await shop(world)), body: recipientBody() }
}

async function register({ world }: Lane, { key, body }: Subject): Promise<number> {
  return (await world.call('POST', '/merchant/api/v1/split-recipients', { key, body })).status
}

async function order(
  { world }: Lane,
  { tenant }: Subject,
  call: string,
  effect: string,
): Promise<void> {
  await world.simulator.rule(tenant, { operation: call, effect, count: 1 })
}

async function recipients({ world }: Lane, { tenant }: Subject) {
  return world.database.sql<{ id: string; subaccountId: string | null }[]>`
    select id, subaccount_id
    from merchant.split_recipients
    where business_id = ${tenant.businessId}`
}

async function expectRegistered(lane: Lane, subject: Subject): Promise<void> {
  expect(await recipients(lane, subject)).toMatchObject([
    { subaccountId: expect.stringMatching(/^RS_/) },
  ])
  const acts = await lane.world.database.sql<{ action: string }[]>`
    select action
    from kernel.audit_log
    where business_id = ${subject.tenant.businessId}
      and object_kind = 'split_recipient'
    order by id`
  expect(acts.map(({ action }) => action)).toEqual([
    'split_recipient.create',
    'split_recipient.register',
  ])
}

async function oneSubaccount(lane: Lane, subject: Subject) {
  const [recipient] = await recipients(lane, subject)
  return { tenant: subject.tenant, reference: recipient?.id ?? '', counts: { subaccount: 1 } }
}
