// Settlements of more than a page, and what happens while they are read.
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Sql } from '../../../src/kernel/db/database.ts'
import { listSettlementsRoute } from '../../../src/merchant/settlements/list-settlements.ts'
import { csvRecords } from '../../support/csv.ts'
import { brokenInvariants } from '../../support/invariants.ts'
import { newLink, paidPayment, type Shop, shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const pageRows = 2000
const path = '/merchant/api/v1/settlements?from=2026-01-01&to=2099-12-31'

type Rows = {
  readonly count: number
  readonly currency?: string
  readonly amountMinor?: bigint
  // How many settle in the same moment.
  readonly together?: number
  readonly since?: Date
}

// Settled payments straight in the table: thousands of payers would take too long.
async function insertSettled(owner: Shop, rows: Rows): Promise<void> {
  const { count, currency = 'NGN', amountMinor = 100_000n, together = 1 } = rows
  const since = rows.since ?? new Date('2026-02-01')
  const link = await newLink(world(), owner)
  const { businessId, environment } = owner.tenant
  const { sql } = world().database
  await sql`
    insert into merchant.payments (
      business_id, environment, id, status, currency, amount_minor, refunded_minor, fee_minor,
      net_minor, payment_link_id, payer_email, provider_reference, checkout_expires_at, created_at,
      updated_at, succeeded_at, settled_at)
    select
      ${businessId}, ${environment}, gen_random_uuid(), 'succeeded', ${currency}, ${amountMinor}, 0,
      n % 1000, ${amountMinor} - n % 1000, (
        select id
        from merchant.payment_links
        where business_id = ${businessId}
        order by id desc
        limit 1
      ), 'payer@example.com', ${link} || n, now(), now(), now(), now(),
      ${since}::timestamptz + n / ${together}::integer * interval '0.123457 seconds'
    from generate_series(0, ${count - 1}) as n`
}

async function settledIds({ tenant }: Shop): Promise<string[]> {
  const rows = await world().database.sql<{ id: string }[]>`
    select id
    from merchant.payments
    where business_id = ${tenant.businessId}
    order by settled_at, id`
  return rows.map(({ id }) => id)
}

// Without the sums at the end.
const rowsOf = (csv: string) => csvRecords(csv).filter(({ payment_id }) => payment_id !== 'total')

const list = ({ key }: Shop, query = '') => world().call('GET', path + query, { key })
// biome-ignore lint/suspicious/noExplicitAny: a body as it came
const idsOf = (body: any): string[] =>
  body.data.map((row: { payment_id: string }) => row.payment_id)

// The first of all: the payments of the others are in no ledger.
it('is noticed when the settlements do not show what the ledger has', async () => {
  const { id } = await paidPayment(world(), await shop(world()))
  const { database } = world()
  expect(await brokenInvariants(database)).toEqual([])
  await database.sql`
    update merchant.payments
    set fee_minor = fee_minor + 1, net_minor = net_minor - 1
    where id = ${id}`
  expect(await brokenInvariants(database)).toEqual(['I11.1', 'I11.3'])
})

describe('many settlements', () => {
  // covers: Returns every payment that settled in the range with a per-currency summary
  it.each([1, pageRows - 1, pageRows, pageRows + 1, 2 * pageRows])(
    'are each there once, in order, when there are %i',
    async (count) => {
      const owner = await shop(world())
      await insertSettled(owner, { count })
      const { body } = await list(owner)
      expect(idsOf(body)).toEqual(await settledIds(owner))
      expect(body.summary).toMatchObject([{ count, gross_minor: count * 100_000 }])
    },
  )

  it.each([pageRows + 3, 3 * pageRows])(
    'are each there once when %i settled in the same moment, across pages',
    async (together) => {
      const owner = await shop(world())
      await insertSettled(owner, { count: 3 * pageRows + 7, together })
      const ids = await settledIds(owner)
      const { body } = await list(owner)
      expect(idsOf(body)).toEqual(ids)
      const records = rowsOf((await list(owner, '&format=csv')).text)
      expect(records.map((record) => record.payment_id)).toEqual(ids)
      expect(new Set(ids).size).toBe(3 * pageRows + 7)
    },
  )

  // covers: The response also carries a summary per currency
  it('are summed to the last digit, where a float could not', async () => {
    const owner = await shop(world())
    const amountMinor = 999_999_999_999_999n
    for (const currency of ['KWD', 'JPY', 'CLF']) {
      await insertSettled(owner, { count: 11, currency, amountMinor })
    }
    const { text } = await list(owner)
    const summary = text.slice(text.indexOf('"summary"'))
    expect(summary).toContain('"gross_minor":10999999999999989')
    expect(summary).toContain('{"currency":"CLF","count":11,"gross":1099999999999.9989,')
    expect(summary).toContain('{"currency":"JPY","count":11,"gross":10999999999999989,')
    expect(summary).toContain('{"currency":"KWD","count":11,"gross":10999999999999.989,')
    expect(text).toContain('"currency":"KWD","gross":999999999999.999,"fee":0.000,')
    expect(text).toContain('"currency":"JPY","gross":999999999999999,"fee":0,')
    expect(text).toContain('"currency":"CLF","gross":99999999999.9999,"fee":0.0010,')
  })
})

it('shows when they settled to the millisecond, however many decimals the moment has', async () => {
  const owner = await shop(world())
  await insertSettled(owner, { count: 3 })
  await insertSettled(owner, { count: 1, since: new Date('2026-02-01T10:00:00.5Z') })
  await insertSettled(owner, { count: 1, since: new Date('2026-02-01T10:00:00.09Z') })
  const { body } = await list(owner)
  expect(body.data.map((row: { settled_at: string }) => row.settled_at)).toEqual([
    '2026-02-01T00:00:00.000Z',
    '2026-02-01T00:00:00.123Z',
    '2026-02-01T00:00:00.246Z',
    '2026-02-01T10:00:00.090Z',
    '2026-02-01T10:00:00.500Z',
  ])
  const records = rowsOf((await list(owner, '&format=csv')).text)
  expect(records.at(-1)).toMatchObject({ settled_at: '2026-02-01T10:00:00.500Z' })
})

// Memory does not grow with the answer: what was sent is forgotten, and no more than one page is
// read ahead. That nothing is made before the caller has taken what came before, the tests of
// long answers show.
it('are read no more than one page ahead of what is sent', { tags: ['long'] }, async () => {
  const owner = await shop(world())
  await insertSettled(owner, { count: 5 * pageRows })
  const { context, database } = world()
  let read = 0
  const sql = new Proxy(database.sql, {
    apply(target, self, [strings, ...values]: Parameters<Sql>) {
      if (String(strings).includes('from merchant.payments')) read += 1
      return Reflect.apply(target, self, [strings, ...values])
    },
  })
  const answer = await listSettlementsRoute.handle(
    { ...context, database: { ...context.database, sql } },
    {
      actor: {
        ...owner.tenant,
        ...{ kind: 'key', keyId: 'key', createdBy: 'maker' },
        scopes: new Set(['settlements:read']),
      },
      requestId: 'request',
      params: undefined,
      headers: undefined,
      body: undefined,
      query: { from: '2026-01-01', to: '2099-12-31', format: 'json' },
    },
  )
  const aheadOf: number[] = []
  let sent = 0
  for await (const _ of 'pieces' in answer ? answer.pieces : []) {
    sent += 1
    aheadOf.push(read - sent)
  }
  // Five pages; then the piece with the sums, when there is nothing more to read.
  expect(sent).toBe(6)
  expect(aheadOf).toEqual([1, 1, 1, 1, 1, 0])
})

// More than fits into what lies between the database and the caller.
const many = 40_000

async function shopWithMany(): Promise<Shop> {
  const owner = await shop(world())
  await insertSettled(owner, { count: many })
  return owner
}

async function longAnswer(owner: Shop): Promise<IncomingMessage> {
  const options = { headers: { authorization: `Bearer ${owner.key}` }, agent: false }
  const request = get(world().baseUrl + path, options)
  const [response] = await once(request, 'response')
  // What happens to the connection from here on is met where the answer is read.
  request.on('error', () => undefined)
  await once(response, 'readable')
  return response
}

describe('while they are read', () => {
  it('a payment that settles is left out, and one that is refunded counts as it is shown', {
    tags: ['long'],
  }, async () => {
    const owner = await shopWithMany()
    const response = await longAnswer(owner)
    const ids = await settledIds(owner)
    const { sql } = world().database
    await insertSettled(owner, { count: 1, since: new Date(Date.now() + 1000) })
    expect(await settledIds(owner)).toHaveLength(many + 1)
    await sql`
      update merchant.payments
      set refunded_minor = 5, status = 'partially_refunded'
      where id = ${ids.at(-1) ?? ''}`
    let text = ''
    for await (const chunk of response) text += chunk
    const body = JSON.parse(text)
    expect(idsOf(body)).toEqual(ids)
    expect(body.data.at(-1)).toMatchObject({ refunded_minor: 5 })
    expect(body.summary).toMatchObject([
      { count: many, gross_minor: many * 100_000, refunded: 0.05, refunded_minor: 5 },
    ])
  })

  // For tests that change no payment.
  let unchanged: Shop
  beforeAll(async () => {
    unchanged = await shopWithMany()
  })

  it('nothing of the database is held for a caller who does not read on', {
    tags: ['long'],
  }, async () => {
    const response = await longAnswer(unchanged)
    const { sql } = world().database
    const held = async () => sql`
      select state, query
      from pg_stat_activity
      where datname = current_database()
        and backend_type = 'client backend'
        and state <> 'idle'
        and pid <> pg_backend_pid()`
    // The page that was asked for ahead may still be on its way.
    await vi.waitFor(async () => expect(await held()).toEqual([]), { timeout: 240_000 })
    let text = ''
    for await (const chunk of response) text += chunk
    expect(idsOf(JSON.parse(text))).toEqual(await settledIds(unchanged))
  })

  // covers: Returns every payment that settled in the range with a per-currency summary
  it('a failure cuts the answer, so that no one takes it for whole', async () => {
    const response = await longAnswer(unchanged)
    const { sql } = world().database
    await sql`alter table merchant.payments rename to payments_away`
    try {
      const reading = (async () => {
        for await (const _ of response);
      })()
      await expect(reading).rejects.toThrow('aborted')
    } finally {
      await sql`alter table merchant.payments_away rename to payments`
    }
    expect(response.complete).toBe(false)
    expect(world().logLines.join('')).toContain('a streamed response was cut off')
  })
})
