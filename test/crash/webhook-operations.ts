// Telling a receiver of an event. It may be told more than once, under the same delivery and
// number; the log has every attempt once.
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
]

async function told({ world, receiver }: Lane, refusals: readonly number[]): Promise<Told> {
  const one = await payer(world)
  const path = `/${one.tenant.businessId}`
  const endpoint = await newEndpoint(world, one.tenant, new URL(path, receiver.url).href)
  // By number and not by count: an attempt that is repeated after a crash has its number again.
  receiver.answer(({ headers }, response) => {
    const refusal = refusals[Number(headers['x-service-attempt']) - 1]
    response.writeHead(refusal ?? 200).end()
  })
  return { ...one, endpoint, path }
}

async function payOut(_lane: Lane, one: Told): Promise<void> {
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
