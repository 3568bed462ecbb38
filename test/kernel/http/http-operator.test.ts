import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDatabase } from '../../support/database.ts'
import { createWorld, useWorld } from '../../support/world.ts'

const token = 'a-token-of-sixteen-or-more'
const world = useWorld({ settings: { metricsToken: token } })
const closed = useWorld()

describe('/healthz', () => {
  it('says that the process lives', async () => {
    const { status, body, headers } = await world().call('GET', '/healthz')
    expect([status, body]).toEqual([200, { status: 'alive' }])
    expect(headers.get('x-request-id')).toMatch(/^req_/)
  })

  it('is kept by no one, like all that operators ask', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      const { headers } = await world().call('GET', path, { key: token })
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })
})

describe('/readyz', () => {
  it('names its parts and their health', async () => {
    // A database that a busy machine keeps waiting for two seconds is down for as long.
    await expect.poll(async () => (await world().call('GET', '/readyz')).status).toBe(200)
    const { body } = await world().call('GET', '/readyz')
    expect(body).toMatchObject({ status: 'ready', parts: { api: 'up', database: 'up' } })
  })
})

describe('/metrics', () => {
  it('answers who has the token', async () => {
    await world().call('GET', '/merchant/api/v1/reference')
    const { status, text } = await world().call('GET', '/metrics', { key: token })
    expect(status).toBe(200)
    expect(text).toMatch(
      /tillbook_http_request_seconds_count\{method="GET",route="\/merchant\/api\/v1\/reference",status="200"\} 1/,
    )
  })

  it('counts repeats of an idempotent call that ask for something else', async () => {
    const { text: key } = await world().key({ service: 'merchant' })
    const headers = { 'idempotency-key': 'order-1' }
    const post = (body: object) =>
      world().call('POST', '/merchant/api/v1/payment-links', { key, headers, body })
    const count = async () => {
      const { text } = await world().call('GET', '/metrics', { key: token })
      return /repeats_differing_total\{operation="payment_links"\} (\d+)/.exec(text)?.[1]
    }
    const link = { title: 'A pair of shoes', currency: 'NGN', amount: 5 }
    await post(link)
    await post({ amount: 5.0, idempotencyKey: 'order-1', currency: 'NGN', title: link.title })
    expect(await count()).toBeUndefined()
    expect((await post({ ...link, amount: 6 })).status).toBe(200)
    expect(await count()).toBe('1')
  })

  it('asks for everything at once, so that what hangs keeps nothing else waiting', async () => {
    const { database, askedTogether } = await watchedDatabase()
    const own = await createWorld({ database, settings: { metricsToken: token } })
    onTestFinished(() => own.close())
    const asked = askedTogether()
    expect((await own.call('GET', '/metrics', { key: token })).status).toBe(200)
    const tables = [
      ...['kernel.webhook_queue', 'kernel.mails', 'kernel.jobs'],
      ...['merchant.breaks', 'books.service_movements'],
    ]
    const text = (await asked).join('\n')
    for (const table of tables) expect(text).toContain(table)
  })

  it('does not exist for anybody else', async () => {
    const wrong = [{}, { key: 'wrong' }, { key: `${token}x` }, { key: token.slice(0, -1) }]
    for (const options of wrong) {
      const { status, body } = await world().call('GET', '/metrics', options)
      expect(status).toBe(404)
      expect(body).toMatchObject({ error: 'No such path.', code: 'not_found' })
    }
  })

  it('does not exist at all without a token in the settings', async () => {
    for (const options of [{}, { key: '' }, { key: 'undefined' }, { key: token }]) {
      expect((await closed().call('GET', '/metrics', options)).status).toBe(404)
    }
  })

  it('counts an unknown path under one name, so that no one can fill it', async () => {
    for (let index = 0; index < 5; index += 1) {
      await world().call('GET', `/merchant/api/v1/invented-${index}`)
    }
    const { text } = await world().call('GET', '/metrics', { key: token })
    expect(text).not.toContain('invented')
  })
})

// A database that reports each query before it answers.
async function watchedDatabase() {
  const database = await createDatabase()
  const asked: string[] = []
  let onFirst: (() => void) | undefined
  const sql = new Proxy(database.sql, {
    apply(target, self, given) {
      const query = Reflect.apply(target, self, given)
      if (!onFirst) return query
      // Called when someone waits for it; what is only a part of another is never sent.
      const wait = query.then.bind(query)
      vi.spyOn(query, 'then').mockImplementation((...callbacks) => {
        onFirst?.()
        asked.push(given[0].join('?'))
        return wait(...callbacks)
      })
      return query
    },
  })
  const askedTogether = () =>
    new Promise<string[]>((resolve) => {
      onFirst = () => {
        onFirst = () => undefined
        // No answer can have come by then.
        setImmediate(() => resolve([...asked]))
      }
    })
  return { database: { ...database, sql }, askedTogether }
}
