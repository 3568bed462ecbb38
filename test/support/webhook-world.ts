// Applications whose webhooks go to a receiver on this machine: one per test file, or per test.
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { type ManualClock, manualClock } from './clock.ts'
import { type ContractCall, useContract } from './openapi.ts'
import { egressTo, makeCertificate, type Receiver, startReceiver } from './receiver.ts'
import { secretsKeyOf } from './secrets-key.ts'
import { newEndpoint, type TestEndpoint } from './webhooks.ts'
import { createWorld, type World, type WorldOptions } from './world.ts'

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
    secretsKey: secretsKeyOf(1),
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

type FreshWorld = {
  readonly clock: ManualClock
  readonly world: World
  readonly receiver: Receiver
  readonly tenant: Tenant
}

// Its own queue for each test, since workers take whatever is due. Before each, `use` is given
// what is new.
export function useFreshWebhookWorlds(
  use: (fresh: FreshWorld) => unknown,
  options: WorldOptions = {},
): { readonly egress: ReturnType<typeof egressTo> } {
  const certificate = makeCertificate()
  const egress = egressTo(certificate)
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver(certificate)
  })
  afterAll(() => receiver.close())
  beforeEach(async () => {
    const clock = manualClock()
    const world = await createWorld({ clock, egress, ...options })
    onTestFinished(() => world.close())
    receiver.received.length = 0
    receiver.answer((_, response) => response.writeHead(200).end())
    const tenant = { businessId: await world.business(), environment: 'live' } as const
    await use({ clock, world, receiver, tenant })
  })
  return { egress }
}
