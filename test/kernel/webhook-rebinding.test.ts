// A name that is public when an endpoint is registered, and leads inside when something is sent.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEndpoint } from '../../src/kernel/endpoints/manage-endpoints.ts'
import { merchantWebhooks } from '../../src/merchant/webhooks/webhook-profile.ts'
import { manualClock } from '../support/clock.ts'
import { expectInvariants } from '../support/invariants.ts'
import { useNameServer } from '../support/name-server.ts'
import { egressTo, makeCertificate, type Receiver, startReceiver } from '../support/receiver.ts'
import { handOut } from '../support/run-log.ts'
import { attemptsOf, newEvent } from '../support/webhooks.ts'
import { useWorld } from '../support/world.ts'

const name = 'hooks.example.com'
const certificate = makeCertificate()
const clock = manualClock()
const names = useNameServer({})
const world = useWorld({
  clock,
  egress: { ...egressTo(certificate), resolver: names.resolver, clock },
})
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver(certificate)
})
afterAll(async () => {
  await expectInvariants(world().database)
  await receiver.close()
})

it('is vetted again for every attempt: nothing is sent inside, and the log says why', async () => {
  const { context, deliveries } = world()
  const tenant = { businessId: await world().business(), environment: 'live' } as const
  const actor = { kind: 'system', name: 'test', ...tenant } as const
  // The one address of this machine that the test has opened stands for a public one.
  names.names[name] = ['127.0.0.1']
  const settings = { url: `https://${name}:${receiver.port}/`, eventTypes: null }
  handOut((await createEndpoint(context, actor, merchantWebhooks, settings)).secret)
  await newEvent(world(), tenant)
  // What was seen at registration is known for that long.
  clock.advance(1000)
  const inside = [['127.0.0.2'], ['127.0.0.1', '169.254.169.254'], ['::1'], ['fd00::1']]
  for (const [index, addresses] of inside.entries()) {
    names.names[name] = addresses
    await deliveries?.drain()
    clock.advance((merchantWebhooks.retryDelaysSeconds[index] ?? 0) * 1000)
  }
  expect(receiver.connections()).toBe(0)
  names.names[name] = ['127.0.0.1']
  await deliveries?.drain()
  const log = await attemptsOf(world(), tenant)
  expect(log.map(({ error }) => error)).toEqual(['address', 'address', 'address', 'address', null])
  expect(receiver.received).toHaveLength(1)
})
