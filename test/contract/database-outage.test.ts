// Responses during a database outage: 503, and nothing breaks.
import { expect, it, onTestFinished } from 'vitest'
import { manualClock } from '../support/clock.ts'
import { createWorld } from '../support/world.ts'

const token = 'a-token-of-sixteen-or-more'

// covers: 503 unavailable: temporarily unavailable
it('is 503 for a call and for a probe, and metrics still come', async () => {
  const clock = manualClock()
  const world = await createWorld({ clock, settings: { metricsToken: token } })
  onTestFinished(() => world.close())
  const { text: key } = await world.key({ service: 'books' })
  const metrics = async () => (await world.call('GET', '/metrics', { key: token })).text
  expect((await world.call('GET', '/readyz')).status).toBe(200)
  expect(await metrics()).toMatch(/^tillbook_database_up 1$/m)
  expect(await metrics()).toMatch(/^tillbook_jobs_due \d+$/m)

  await world.database.close()
  // What was read of the key and of the database's health is old by now.
  clock.advance(60_000)
  const { status, headers, body } = await world.call('GET', '/books/api/v1/accounts', { key })
  expect([status, body.code]).toEqual([503, 'unavailable'])
  expect(headers.get('retry-after')).toBe('5')
  const ready = await world.call('GET', '/readyz')
  expect(ready.status).toBe(503)
  expect(ready.body.parts.database).toBe('down')
  expect((await world.call('GET', '/healthz')).status).toBe(200)
  const during = await world.call('GET', '/metrics', { key: token })
  expect(during.status).toBe(200)
  expect(during.text).toMatch(/^tillbook_database_up 0$/m)
  expect(during.text).toContain('tillbook_http_request_seconds_count')
  // A number from before the outage would be taken for one of now.
  expect(during.text).not.toMatch(/^tillbook_jobs_due \d/m)
})

it('is asked for by many probes at once a single time', async () => {
  const clock = manualClock()
  const world = await createWorld({ clock })
  onTestFinished(() => world.close())
  await world.call('GET', '/readyz')
  await world.database.close()
  const probe = async () => (await world.call('GET', '/readyz')).status
  clock.advance(999)
  expect(await Promise.all([probe(), probe(), probe()])).toEqual([200, 200, 200])
  clock.advance(1)
  expect(await probe()).toBe(503)
})
