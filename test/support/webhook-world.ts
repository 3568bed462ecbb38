// A world whose webhooks go to a receiver on this machine, for a test file.
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { type ManualClock, manualClock } from './clock.ts'
import { type ContractCall, useContract } from './openapi.ts'
import { egressTo, makeCertificate, type Receiver, startReceiver } from './receiver.ts'
import { newEndpoint, type TestEndpoint } from './webhooks.ts'
import type { World } from './world.ts'

export type WebhookWorld = {
  readonly clock: ManualClock
  world(): World
  readonly call: ContractCall
  // What the receiver shows, for processes that must trust it.
  readonly certificatePath: string
  receiver(): Receiver
  drain(): Promise<void>
  // Has the receiver answer with this from now on.
  answer(statusCode: number): void
  // A tenant with an endpoint and a key; nothing has happened yet.
  subscriber(wanted?: Partial<Tenant>): Promise<Subscriber>
}

export type Subscriber = { readonly tenant: Tenant; readonly key: string } & TestEndpoint

export function useWebhookWorld(): WebhookWorld {
  const certificate = makeCertificate()
  const clock = manualClock()
  const { world, call } = useContract({
    clock,
    egress: egressTo(certificate),
    secretsKey: Buffer.alloc(32, 1),
  })
  let receiver: Receiver | undefined
  const running = () => {
    if (!receiver) throw new Error('the receiver starts before the first test')
    return receiver
  }
  const answer = (statusCode: number) =>
    running().answer((_, response) => response.writeHead(statusCode).end())
  beforeAll(async () => {
    receiver = await startReceiver(certificate)
  })
  beforeEach(() => {
    running().received.length = 0
    answer(200)
  })
  afterAll(() => receiver?.close())
  return {
    clock,
    world,
    call,
    certificatePath: certificate.path,
    receiver: running,
    answer,
    drain: async () => world().deliveries?.drain(),
    async subscriber(wanted = {}) {
      const businessId = wanted.businessId ?? (await world().business())
      const tenant = { businessId, environment: wanted.environment ?? 'live' } as const
      const { text: key } = await world().key({ service: 'merchant', ...tenant })
      const endpoint = await newEndpoint(world(), tenant, `${running().url}/${businessId}`)
      return { tenant, key, ...endpoint }
    },
  }
}
