// The provider's webhooks are only hints: the facts are looked up.
import { describe, expect, it } from 'vitest'
import { jobs } from '../../../src/app/background-work.ts'
import { addSeconds } from '../../../src/kernel/basics/clock.ts'
import { createWorker } from '../../../src/kernel/jobs/worker.ts'
import { expireProviderMessagesSchedule } from '../../../src/merchant/payments/expire-messages.ts'
import {
  sealedMessageRow,
  sealMessage,
  sealProviderMessagesSchedule,
} from '../../../src/merchant/payments/seal-messages.ts'
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
  const { database, context } = world()
  const rows = await database.sql<{ id: string; sealed: Buffer }[]>`
    select id, body_sealed as sealed
    from merchant.provider_messages`
  const bodies = rows.map(({ id, sealed }) =>
    context.secrets.open(sealed, sealedMessageRow(id)).toString(),
  )
  return bodies.filter((one) => one === body.replaceAll('\0', '')).length
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
  const sent = [90 * day + 1, 90 * day - 60].map((seconds) => {
    const id = context.ids.uuid()
    const receivedAt = addSeconds(now, -seconds)
    return { id, environment: 'live', ...sealMessage(context.secrets, id, body), receivedAt }
  })
  await database.sql`insert into merchant.provider_messages ${database.sql(sent)}`
  await expireProviderMessagesSchedule.run(context, new AbortController().signal)
  expect(await kept(body)).toBe(1)
})

describe('what a message says', () => {
  const reference = 'live-a-b'
  const message = JSON.stringify({
    event: 'charge.completed',
    data: { id: 4711, tx_ref: reference, customer: { email: 'payer@example.com' } },
  })
  const stored = () => world().database.sql<Record<string, unknown>[]>`
    select event, reference, transaction_id, body, body_sealed
    from merchant.provider_messages
    where reference = ${reference}`

  it('is sealed, apart from what it refers to', async () => {
    expect((await send(message)).status).toBe(200)
    const [row] = await stored()
    expect(row).toMatchObject({ event: 'charge.completed', transactionId: '4711', body: null })
    expect(JSON.stringify(row)).not.toContain('payer@example.com')
    expect(Buffer.from(row?.bodySealed as Buffer).includes('payer@example.com')).toBe(false)
  })

  it('is never a reference when it is not one', async () => {
    await send(JSON.stringify({ data: { tx_ref: 'secret@example.com' } }))
    const rows = await world().database.sql`
      select
      from merchant.provider_messages
      where reference like '%@%'`
    expect(rows).toEqual([])
  })

  it('is sealed by a job where an earlier version stored it in the clear', async () => {
    const { database, context } = world()
    await database.sql`delete from merchant.provider_messages`
    const row = { id: context.ids.uuid(), environment: 'live', receivedAt: context.clock.now() }
    await database.sql`
      insert into merchant.provider_messages ${database.sql({ ...row, body: message })}`
    await sealProviderMessagesSchedule.run(context, new AbortController().signal)
    expect(await stored()).toMatchObject([{ body: null, transactionId: '4711' }])
    expect(await kept(message)).toBe(1)
  })
})

describe('200', () => {
  it.each([
    ['no JSON', 'tx_ref=1'],
    ['nothing', ''],
    ['a list', '[]'],
    ['a reference of someone else', '{"event":"charge.completed","data":{"tx_ref":"order-1"}}'],
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
