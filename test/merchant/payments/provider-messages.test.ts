// The provider's webhooks come in, and are hints: the truth is fetched.
import { describe, expect, it } from 'vitest'
import { jobs } from '../../../src/app/background-work.ts'
import { addSeconds } from '../../../src/kernel/basics/clock.ts'
import { createWorker } from '../../../src/kernel/jobs/worker.ts'
import { expireProviderMessagesSchedule } from '../../../src/merchant/payments/expire-messages.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { eventsOf, payment, storedPayment } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

const day = 24 * 60 * 60
const path = '/hooks/provider/live'
const hash = () => world().context.secrets.derive('simulator webhooks').toString('base64url')
const send = (rawBody: string, headers: Record<string, string> = { 'verif-hash': hash() }) =>
  world().call('POST', path, { rawBody, headers })

// How often exactly this was kept; what the simulator sends by itself is not counted.
async function kept(body: string): Promise<number> {
  const rows = await world().database.sql`
    select
    from merchant.provider_messages
    where body = ${body.replaceAll('\0', '')}`
  return rows.length
}

async function runJobs(): Promise<void> {
  const { context } = world()
  await createWorker({ context, jobs, schedules: [], slots: 4 }).drain()
}

it('a message of the provider leads to the payment being looked up', async () => {
  const begun = await payment(world())
  await world().simulator.pay(begun.tenant, begun.reference)
  await world().simulator.drain()
  expect((await storedPayment(world(), begun)).status).toBe('pending')
  await runJobs()
  expect((await storedPayment(world(), begun)).status).toBe('succeeded')
  await expectInvariants(world().database)
})

it('a message that says the opposite of the truth changes nothing', async () => {
  const begun = await payment(world())
  await world().simulator.rule(begun.tenant, { operation: 'webhook', effect: 'contradict' })
  await world().simulator.pay(begun.tenant, begun.reference, 'insufficient_funds')
  await world().simulator.drain()
  await runJobs()
  expect((await storedPayment(world(), begun)).status).toBe('failed')
})

it('a message that comes many times is one success', async () => {
  const begun = await payment(world())
  const rule = { operation: 'webhook', effect: 'duplicate', copies: 5 }
  await world().simulator.rule(begun.tenant, rule)
  await world().simulator.pay(begun.tenant, begun.reference)
  await world().simulator.drain()
  await runJobs()
  expect(await eventsOf(world(), begun.tenant)).toHaveLength(1)
})

it('messages are kept for ninety days', async () => {
  const { database, context } = world()
  const now = context.clock.now()
  const body = 'an old message'
  const sent = [90 * day + 1, 90 * day - 60].map((seconds) => ({
    id: context.ids.uuid(),
    environment: 'live',
    body,
    receivedAt: addSeconds(now, -seconds),
  }))
  await database.sql`insert into merchant.provider_messages ${database.sql(sent)}`
  await expireProviderMessagesSchedule.run(context, new AbortController().signal)
  expect(await kept(body)).toBe(1)
})

describe('200', () => {
  it.each([
    ['no JSON', 'tx_ref=1'],
    ['nothing', ''],
    ['a list', '[]'],
    ['a reference of somebody else', '{"event":"charge.completed","data":{"tx_ref":"order-1"}}'],
    ['a refund, which has no envelope', '{"id":1,"AmountRefunded":100,"status":"completed"}'],
    ['U+0000', '{"data":{"tx_ref":"\u0000"}}'],
  ])('is answered to a message with %s, which is kept', async (_, body) => {
    expect((await send(body)).status).toBe(200)
    expect(await kept(body)).toBe(1)
  })

  it('is answered to a message about a payment of the other environment, without a look', async () => {
    const begun = await payment(world())
    await world().simulator.pay(begun.tenant, begun.reference)
    const body = JSON.stringify({ data: { tx_ref: begun.reference } })
    const answer = await world().call('POST', '/hooks/provider/test', {
      rawBody: body,
      headers: { 'verif-hash': hash() },
    })
    expect(answer.status).toBe(200)
    expect((await storedPayment(world(), begun)).status).toBe('pending')
  })
})

describe('401', () => {
  it.each([
    ['none', {}],
    ['an empty one', { 'verif-hash': '' }],
    ['a wrong one', { 'verif-hash': 'x'.repeat(43) }],
  ])('is answered when the hash is %s, and nothing is kept', async (_, headers) => {
    const body = '{"event":"charge.completed","data":{}}'
    expect((await send(body, headers as Record<string, string>)).status).toBe(401)
    expect(await kept(body)).toBe(0)
  })
})

it('404 is answered for an environment that is none', async () => {
  const answer = await world().call('POST', '/hooks/provider/staging', {
    rawBody: '{}',
    headers: { 'verif-hash': hash() },
  })
  expect(answer.status).toBe(404)
})
