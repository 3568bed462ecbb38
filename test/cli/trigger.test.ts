// Causing events in the sandbox.
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { knownEventTypes } from '../../src/cli/listen/event-types.ts'
import { trigger } from '../../src/cli/trigger/trigger-command.ts'
import { readSettings } from '../../src/config.ts'
import { insertMembership } from '../../src/kernel/auth/membership-store.ts'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { installation, newBusiness } from '../support/cli.ts'
import { expectInvariants } from '../support/invariants.ts'
import { eventsOf, storedPayment } from '../support/payments.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
let tenant: Tenant

beforeAll(async () => {
  const businessId = await world().business({ kycStatus: 'unverified' })
  tenant = { businessId, environment: 'test' }
  const personId = await world().keyMaker()
  const createdAt = world().context.clock.now()
  await world().database.transaction((tx) =>
    insertMembership(tx, { businessId, personId, role: 'owner', createdAt }),
  )
})

async function triggered(event: string) {
  const before = (await eventsOf(world(), tenant)).length
  const commandWorld = {
    context: world().context,
    settings: readSettings([]),
    people: () => Promise.reject(new Error('no one is asked for')),
    askSecrets: () => Promise.reject(new Error('nothing is asked for')),
  }
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    const options = { event, business: tenant.businessId, json: true }
    expect(await trigger.run(commandWorld, options)).toBe(0)
  } finally {
    write.mockRestore()
  }
  return (await eventsOf(world(), tenant)).slice(before)
}

async function setApprovals({ isOn, isFourEyes }: { isOn: boolean; isFourEyes: boolean }) {
  await world().database.sql`
    update books.organisations
    set approvals_on = ${isOn},
      four_eyes_on = ${isFourEyes}
    where business_id = ${tenant.businessId}
      and environment = 'test'`
}

// The documented fields. Those after an `and` or an `or` depend on what happened.
function documentedFields(type: string) {
  const page = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
  const row = page
    .split('\n')
    .find((line) => line.startsWith('| `') && line.includes(`\`${type}\``))
  const cell = row?.split('|')[3] ?? ''
  const namesIn = (text = '') => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  return { required: namesIn(cell.split(/, (?:and|or) /)[0]), all: namesIn(cell) }
}

const madeUp = ['payout.completed', 'payout.failed', 'test.ping']

describe('cli trigger', () => {
  it('takes a payment', async () => {
    const [event] = await triggered('payment.succeeded')
    const payment = await storedPayment(world(), { tenant, id: event?.objectId ?? '' })
    expect(payment).toMatchObject({ status: 'succeeded', amountMinor: 450_000n })
    expect(event?.data).toMatchObject({ amount: 450_000, status: 'succeeded' })
    expect(event?.data).not.toHaveProperty('example')
  })

  it('has a payment declined', async () => {
    const [event] = await triggered('payment.failed')
    expect(event?.data).toMatchObject({ status: 'failed', failure_reason: 'Insufficient Funds' })
  })

  it('refunds a payment', async () => {
    const events = await triggered('payment.refunded')
    expect(events.map(({ type }) => type)).toEqual(['payment.succeeded', 'payment.refunded'])
    expect(events[1]?.data).toMatchObject({ fully_refunded: true, refund_amount: 450_000 })
  })

  it('adds a contact', async () => {
    const [event] = await triggered('contact.created')
    const { text: key } = await world().key({ service: 'books', ...tenant })
    const { body } = await world().call('GET', '/books/api/v1/contacts', { key })
    expect(body.data.map(({ id }: { id: string }) => id)).toContain(event?.objectId)
  })

  it.each(knownEventTypes.filter((type) => !madeUp.includes(type)))('does %s', async (type) => {
    const events = await triggered(type)
    expect(events.at(-1)?.type).toBe(type)
    for (const { data } of events) expect(data).not.toHaveProperty('example')
    const { required, all } = documentedFields(type)
    const fields = Object.keys(events.at(-1)?.data ?? {})
    expect(fields).toEqual(expect.arrayContaining(required))
    expect(all).toEqual(expect.arrayContaining(fields))
  })

  it.each([
    ['invoice.paid', { status: 'paid', total: 5000, amount_paid: 5000, kind: 'invoice' }],
    ['invoice.voided', { status: 'void' }],
    ['bill.paid', { status: 'paid', total: 2400, amount_paid: 2400, kind: 'bill' }],
    ['quote.declined', { status: 'declined', reason: 'Too dear' }],
    ['lead.won', { name: 'Two desks', contact_id: expect.any(String) }],
  ])('tells of %s as it then is', async (type, data) => {
    expect((await triggered(type)).at(-1)?.data).toMatchObject(data)
  })

  it.each(madeUp)('makes up %s', async (type) => {
    const [event, ...others] = await triggered(type)
    expect(others).toEqual([])
    expect(event).toMatchObject({ type, data: { example: true, id: event?.objectId } })
  })

  it.each(['invoice.issued', 'bill.approved'])('does %s where approvals are on', async (type) => {
    await setApprovals({ isOn: true, isFourEyes: false })
    onTestFinished(() => setApprovals({ isOn: false, isFourEyes: true }))
    expect((await triggered(type)).at(-1)?.type).toBe(type)
    await setApprovals({ isOn: true, isFourEyes: true })
    const before = await eventsOf(world(), tenant)
    await expect(triggered(type)).rejects.toThrow(/authors can't approve their own documents/)
    expect(await eventsOf(world(), tenant)).toEqual(before)
  })

  it('touches nothing live', async () => {
    expect(await eventsOf(world(), { ...tenant, environment: 'live' })).toEqual([])
  })

  it('pays and refunds in its own name, without a key', async () => {
    const { sql } = world().database
    const acts = await sql<{ action: string }[]>`
      select distinct action
      from kernel.audit_log
      where business_id = ${tenant.businessId}
        and actor_kind = 'system'
        and actor_id = 'cli trigger'
        and action in ('payment_link.create', 'refund.create')
      order by action`
    expect(acts.map(({ action }) => action)).toEqual(['payment_link.create', 'refund.create'])
    const keys = await sql`
      select id
      from kernel.api_keys
      where business_id = ${tenant.businessId}
        and service = 'merchant'
        and name = 'cli trigger'`
    expect(keys).toEqual([])
  })

  it('leaves everything in agreement', async () => {
    await expectInvariants(world().database)
  })
})

describe('at the terminal', () => {
  it('works beside a service on your own database', { tags: ['long'] }, async () => {
    const { cli, json } = await installation()
    expect((await cli('trigger', 'contact.created')).stderr).toContain('there is no business yet')
    await json(...newBusiness)
    const { status, stdout } = await cli('trigger', 'payment.succeeded')
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/^payment.succeeded of \S{36}, in the sandbox of Corner shop\.\n$/),
    ])
    const example = await cli('trigger', 'payout.completed')
    expect(example.stdout).toContain('The event is made up')
    expect((await cli('verify')).status).toBe(0)
  })

  it('says which events there are, and what is wrong', async () => {
    const { cli } = await installation()
    const help = await cli('help', 'trigger')
    expect(help.stdout).toContain('Usage: npm run cli -- trigger <event> [options]')
    for (const type of knownEventTypes) expect(help.stdout).toContain(`  ${type}\n`)
    for (const [args, message] of [
      [[], /^which event\? there are payment.succeeded, /],
      [['payment.made'], /^there is no event "payment.made"; there are payment.succeeded, /],
      [['payment.failed', 'payout.failed'], /^trigger does not take "payout.failed"/],
      [['payment.failed', '--live'], /^trigger works in the sandbox only/],
    ] as const) {
      const { status, stderr } = await cli('trigger', ...args)
      expect([status, stderr]).toEqual([64, expect.stringMatching(message)])
    }
  })
})
