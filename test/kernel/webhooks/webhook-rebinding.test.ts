// A name that is public, or unresolvable, when an endpoint is registered, and leads inside when
// something is sent.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEndpoint } from '../../../src/kernel/endpoints/manage-endpoints.ts'
import { merchantWebhooks } from '../../../src/merchant/webhooks/webhook-profile.ts'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { useNameServer } from '../../support/name-server.ts'
import { useContract } from '../../support/openapi.ts'
import { egressTo, makeCertificate, type Receiver, startReceiver } from '../../support/receiver.ts'
import { handOut } from '../../support/run-log.ts'
import { secretsKeyOf } from '../../support/secrets-key.ts'
import { attemptsOf, newEndpoint, newEvent } from '../../support/webhooks.ts'

const name = 'hooks.example.com'
// The one address of this machine that the test has opened stands for a public one.
const outside = ['127.0.0.1']
const certificate = makeCertificate()
const clock = manualClock()
const names = useNameServer({})
const { world, call } = useContract({
  clock,
  egress: { ...egressTo(certificate), resolver: names.resolver, clock },
  secretsKey: secretsKeyOf(1),
})
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver(certificate)
})
afterAll(async () => {
  await expectInvariants(world().database)
  await receiver.close()
})

it.each([
  ['was public', outside],
  ['could not be asked for', 'failing' as const],
])(
  'a name that %s at registration is vetted for every attempt: nothing is sent inside, and the log says why',
  async (_, atFirst) => {
    const { context, deliveries } = world()
    const tenant = { businessId: await world().business(), environment: 'live' } as const
    const actor = { kind: 'system', name: 'test', ...tenant } as const
    const before = { connections: receiver.connections(), received: receiver.received.length }
    names.names[name] = atFirst
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
    expect(receiver.connections()).toBe(before.connections)
    names.names[name] = outside
    await deliveries?.drain()
    const log = await attemptsOf(world(), tenant)
    const failures = inside.map(() => 'address')
    expect(log.map(({ error }) => error)).toEqual([...failures, null])
    expect(receiver.received).toHaveLength(before.received + 1)
  },
)

// The owner of a name can point it at any other, so a log that told these apart would tell which
// names there are in the operator's own network.
it('a key does not learn from the log whether a name leads inside or nowhere; operators do', async () => {
  const tenant = { businessId: await world().business(), environment: 'live' } as const
  const { text: key } = await world().key({ service: 'merchant', ...tenant })
  const { id } = await newEndpoint(world(), tenant, 'https://probe.example.com/')
  const seen: unknown[] = []
  for (const found of [['10.0.0.1'], ['127.0.0.1', '10.0.0.1'], 'failing', undefined] as const) {
    if (found) names.names['probe.example.com'] = found
    else delete names.names['probe.example.com']
    await newEvent(world(), tenant)
    await world().deliveries?.drain()
    const { body } = await call('GET', `/merchant/api/v1/webhooks/${id}/deliveries`, { key })
    const retry = `/merchant/api/v1/webhooks/deliveries/${body.data[0].id}/retry`
    const retried = await call('POST', retry, { key })
    const { error, status_code, succeeded, dead_lettered } = body.data[0]
    seen.push([{ error, status_code, succeeded, dead_lettered }, retried.body.error])
    clock.advance(1)
  }
  expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(1)
  expect(seen[0]).toMatchObject([{ error: 'address', status_code: null }, 'address'])
  const stored = (await attemptsOf(world(), tenant)).map(({ error }) => error)
  expect(stored).toEqual([...Array(4).fill('address'), ...Array(4).fill('name')])
})
