// Sending an event to a receiver. It can be sent more than once, with the same delivery and number;
// the log has every attempt once.
import { expect } from 'vitest'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { type Payer, payer } from '../support/payouts.ts'
import { isGenuine } from '../support/receiver.ts'
import { attemptsOf, deliveriesOf, newEndpoint, type TestEndpoint } from '../support/webhooks.ts'
import type { Lane } from './lane.ts'
import { type Operation, operation } from './sweep.ts'

type Told = Payer & { readonly endpoint: TestEndpoint; readonly path: string }

const payOutOnce = { headers: { 'idempotency-key': 'order-18' } }

export const webhookOperations: readonly Operation[] = [
  operation<Told>({
    name: 'a receiver is told of a payout',
    setUp: (lane) => told(lane, []),
    run: payOut,
    again: payOut,
    end: (lane, one) => expectTold(lane, one, [null]),
    effects: nothing,
  }),
  operation<Told>({
    name: 'a receiver is told of a payout after it has failed twice',
    setUp: (lane) => told(lane, [500, 503]),
    run: payOut,
    again: payOut,
    end: (lane, one) => expectTold(lane, one, ['status', 'status', null]),
    effects: nothing,
  }),
  operation<Told>({
    name: 'a delivery is retried by hand',
    setUp: async (lane) => {
      const one = await told(lane, [])
      await payOut(lane, one)
      await lane.settle()
      return one
    },
    async run({ world }, { tenant, key }) {
      const [delivery] = await deliveriesOf(world, tenant)
      const path = `/merchant/api/v1/webhooks/deliveries/${delivery?.id}/retry`
      const { body } = await world.call('POST', path, { key })
      expect(body).toMatchObject({ attempt_number: 2, succeeded: true })
    },
    // The caller does nothing: the request is carried out once.
    end: (lane, one) => expectTold(lane, one, [null, null]),
    effects: nothing,
  }),
  operation<Told>({
    name: 'past events are replayed',
    setUp: async (lane) => {
      const one = await payer(lane.world)
      await payOut(lane, one)
      return listening(lane, one, [])
    },
    run: replay,
    again: replay,
    end: (lane, one) => expectTold(lane, one, [null]),
    effects: nothing,
  }),
  operation<Told>({
    name: 'a dead letter is queued again',
    setUp: async (lane) => {
      const one = await told(lane, [500, 500, 500, 500, 500])
      await payOut(lane, one)
      for (const minutes of [0, 1, 5, 30, 120]) await lane.pass(minutes * 60)
      expect(await deliveriesOf(lane.world, one.tenant)).toMatchObject([{ state: 'dead_lettered' }])
      return one
    },
    run: redrive,
    // What was queued is sent, and what was sent is no dead letter any more.
    again: redrive,
    end: (lane, one) => expectTold(lane, one, [...Array<string>(5).fill('status'), null]),
    effects: nothing,
  }),
]

async function replay(lane: Lane, { tenant, endpoint }: Told): Promise<void> {
  const to = new Date(lane.world.context.clock.now().getTime() + 3_600_000)
  await command(lane, [
    ...['replay', '--business', tenant.businessId, '--endpoint', endpoint.id, '--missing'],
    ...['--from', '2020-01-01T00:00:00Z', '--to', to.toISOString()],
  ])
}

async function redrive(lane: Lane, { tenant, endpoint }: Told): Promise<void> {
  await command(lane, ['redrive', '--business', tenant.businessId, '--endpoint', endpoint.id])
}

async function command(lane: Lane, args: readonly string[]): Promise<void> {
  const status = await lane.cli(['webhooks', ...args], '')
  if (status !== 0) throw new Error(`webhooks ${args[0]} ended with ${status}`)
}

async function told(lane: Lane, refusals: readonly number[]): Promise<Told> {
  return listening(lane, await payer(lane.world), refusals)
}

async function listening(
  { world, receiver }: Lane,
  one: Payer,
  refusals: readonly number[],
): Promise<Told> {
  const path = `/${one.tenant.businessId}`
  const endpoint = await newEndpoint(world, one.tenant, new URL(path, receiver.url).href)
  // By number and not by count: an attempt that is repeated after a crash has its number again.
  receiver.answer(({ headers }, response) => {
    const refusal = refusals[Number(headers['x-service-attempt']) - 1]
    response.writeHead(refusal ?? 200).end()
  })
  return { ...one, endpoint, path }
}

async function payOut(_lane: Lane, one: Payer): Promise<void> {
  const { body } = await one.payOut({ destinationType: 'service_account' }, payOutOnce)
  expect(body.status).toBe('completed')
}

async function expectTold(
  { world, receiver }: Lane,
  { tenant, endpoint, path }: Told,
  errors: readonly (string | null)[],
): Promise<void> {
  const deliveries = await deliveriesOf(world, tenant)
  expect(deliveries).toMatchObject([{ state: 'delivered', isQueued: false }])
  const log = await attemptsOf(world, tenant)
  expect(log.map(({ error }) => error)).toEqual(errors)
  expect(log.map(({ attemptNumber }) => attemptNumber)).toEqual(errors.map((_, index) => index + 1))
  const received = receiver.received.filter((one) => one.path === path)
  const numbers = new Set(received.map(({ headers }) => Number(headers['x-service-attempt'])))
  expect(numbers).toEqual(new Set(errors.map((_, index) => index + 1)))
  for (const one of received) {
    expect(one.headers['x-service-delivery-id']).toBe(deliveries[0]?.id)
    const sentAt = new Date(Number(one.headers['x-service-timestamp']) * 1000)
    expect(isGenuine(one, endpoint.secret, sentAt)).toBe(true)
  }
}

function nothing(_lane: Lane, { tenant }: { tenant: Tenant }) {
  return { tenant, reference: 'none', counts: {} }
}
