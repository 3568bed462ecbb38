import { expect, test } from 'vitest'
import type { Sql } from '../../../src/kernel/db/database.ts'
import { openEventStream } from '../../../src/kernel/webhooks/event-stream.ts'
import { newEvent } from '../../support/webhooks.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

test('a look that the database breaks off has seen nothing, and the next finds it once', async () => {
  const { sql } = world().database
  const tenant = { businessId: await world().business(), environment: 'live' } as const
  const stream = await openEventStream(sql, tenant)
  await newEvent(world(), tenant, { type: 'payment.first' })
  // Away between the two questions of a look.
  const breaking = ((strings: TemplateStringsArray, ...values: never[]) => {
    if (strings.join('').includes('kernel.webhook_attempts')) throw new Error('away')
    return sql(strings, ...values)
  }) as unknown as Sql
  await expect(stream.look(breaking)).rejects.toThrow('away')
  const found = await stream.look(sql)
  expect(found.map(({ event }) => event.type)).toEqual(['payment.first'])
  expect(await stream.look(sql)).toEqual([])
})
