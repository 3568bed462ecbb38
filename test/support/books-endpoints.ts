// Endpoints of the books with a receiver behind them, a new business for each test.
import { afterAll, beforeEach } from 'vitest'
import { booksWebhooks } from '../../src/books/webhooks/webhook-profile.ts'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { createEndpoint } from '../../src/kernel/endpoints/manage-endpoints.ts'
import { expectInvariants } from './invariants.ts'
import { handOut } from './run-log.ts'
import { useWebhookWorld } from './webhook-world.ts'
import { newEvent } from './webhooks.ts'

export function useBooksEndpoints() {
  const webhooks = useWebhookWorld()
  const { world, clock, drain, answer, receiver } = webhooks
  let tenant: Tenant | undefined
  beforeEach(async () => {
    tenant = { businessId: await world().business(), environment: 'live' }
    clock.advance(86_400_000)
  })
  afterAll(() => expectInvariants(world().database))

  const own = () => {
    if (!tenant) throw new Error('the business is made before each test')
    return tenant
  }
  const actor = () => ({ kind: 'system', name: 'test', ...own() }) as const
  const event = (type: string) => newEvent(world(), own(), { service: 'books', type })
  return {
    ...webhooks,
    tenant: own,
    actor,
    event,
    types: () => receiver().received.map(({ headers }) => headers['x-accounting-event']),
    actsOn: (id: string) => world().database.sql<{ action: string }[]>`
      select action
      from kernel.audit_log
      where object_id = ${id}
      order by id`,
    async create(eventTypes: string[] | null, url = receiver().url) {
      const wanted = { url, eventTypes }
      const made = await createEndpoint(world().context, actor(), booksWebhooks, wanted)
      handOut(made.secret)
      return made.endpoint
    },
    async failInRow(times: number): Promise<void> {
      answer(500)
      for (let count = 0; count < times; count += 1) {
        await event('contact.test')
        await drain()
      }
    },
  }
}
