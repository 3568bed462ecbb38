import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { useContract } from '../../support/openapi.ts'
import { newCode, newLink, paidPayment, payment, type Shop, shop } from '../../support/payments.ts'

const { world, call } = useContract()
const path = '/merchant/api/v1/payments'

const list = (key: string, query = '') => call('GET', `${path}${query}`, { key })

// The ids of some payments, newest first.
async function payments(owner: Shop, count: number): Promise<string[]> {
  const page = await newLink(world(), owner)
  const ids: string[] = []
  for (let made = 0; made < count; made += 1) {
    ids.unshift((await payment(world(), owner, page)).id)
  }
  return ids
}

const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id)

describe('200', () => {
  // covers: `{data: [payment...], has_more
  // covers: Stop when `data` is empty or `next_cursor` is null
  it('is an empty page for a business without payments', async () => {
    const { key } = await shop(world())
    const { status, body } = await list(key)
    expect(status).toBe(200)
    expect(body).toEqual({ data: [], has_more: false, next_cursor: null })
  })

  // covers: 200 list envelope, newest first
  // covers: Results are newest first
  it('has the newest first, each as it is read alone', async () => {
    const owner = await shop(world())
    const ids = await payments(owner, 3)
    const { body } = await list(owner.key)
    expect(idsOf(body)).toEqual(ids)
    const alone = await call('GET', `${path}/${ids[1]}`, { key: owner.key })
    expect(body.data[1]).toEqual(alone.body)
  })

  // covers: `has_more` is true when the page was full
  it('says that there is no more, and has no cursor, when the page was not full', async () => {
    const owner = await shop(world())
    await payments(owner, 2)
    const { body } = await list(owner.key, '?limit=3')
    expect(body).toMatchObject({ has_more: false, next_cursor: null })
  })

  // covers: `{data: [payment...], has_more
  // covers: `starting_after` (uuid cursor)
  // covers: Results are newest first
  // covers: `has_more` is true when the page was full
  // covers: Stop when `data` is empty or `next_cursor` is null
  it('follows a full last page with an empty one', async () => {
    const owner = await shop(world())
    const ids = await payments(owner, 4)
    const first = (await list(owner.key, '?limit=2')).body
    expect(idsOf(first)).toEqual(ids.slice(0, 2))
    expect(first).toMatchObject({ has_more: true, next_cursor: ids[1] })
    const second = (await list(owner.key, `?limit=2&starting_after=${first.next_cursor}`)).body
    expect(idsOf(second)).toEqual(ids.slice(2))
    expect(second).toMatchObject({ has_more: true, next_cursor: ids[3] })
    const third = (await list(owner.key, `?limit=2&starting_after=${second.next_cursor}`)).body
    expect(third).toEqual({ data: [], has_more: false, next_cursor: null })
  })

  // covers: query `limit` (integer 1-100, default 20)
  // covers: GET /payments page size: 1 to 100, default 20
  it('has twenty on a page unless told otherwise', async () => {
    const owner = await shop(world())
    const ids = await payments(owner, 21)
    const { body } = await list(owner.key)
    expect(idsOf(body)).toEqual(ids.slice(0, 20))
    expect(body).toMatchObject({ has_more: true, next_cursor: ids[19] })
    expect(idsOf((await list(owner.key, '?limit=100')).body)).toEqual(ids)
  })

  // covers: pending, processing, succeeded
  // covers: `status` (string)
  it('has only payments of the status that was asked for, across pages', async () => {
    const owner = await shop(world())
    const page = await newLink(world(), owner)
    const paid = [
      (await paidPayment(world(), owner, page)).id,
      (await paidPayment(world(), owner, page)).id,
    ]
    const pending = (await payment(world(), owner, page)).id
    const { body } = await list(owner.key, '?status=succeeded&limit=1')
    expect(idsOf(body)).toEqual([paid[1]])
    const rest = await list(owner.key, `?status=succeeded&limit=1&starting_after=${paid[1]}`)
    expect(idsOf(rest.body)).toEqual([paid[0]])
    expect(idsOf((await list(owner.key, '?status=pending')).body)).toEqual([pending])
    expect(idsOf((await list(owner.key, '?status=refunded')).body)).toEqual([])
  })

  it('has only payments of one link, code or payer', async () => {
    const owner = await shop(world())
    const [link, code] = [await newLink(world(), owner), await newCode(world(), owner)]
    const one = await payment(world(), owner, link)
    const other = await payment(world(), owner, code)
    const shown = async (query: string) => idsOf((await list(owner.key, query)).body)
    const { body } = await call('GET', `${path}/${one.id}`, { key: owner.key })
    const { body: scanned } = await call('GET', `${path}/${other.id}`, { key: owner.key })
    expect(await shown(`?payment_link_id=${body.payment_link_id}`)).toEqual([one.id])
    expect(await shown(`?qr_code_id=${scanned.qr_code_id}`)).toEqual([other.id])
    expect(await shown(`?payment_link_id=${randomUUID()}`)).toEqual([])
    expect(await shown(`?email=PAYER%40example.com`)).toEqual([other.id, one.id])
    expect(await shown(`?email=another%40example.com`)).toEqual([])
  })

  it('has only payments of a time, with the days and moments that were named', async () => {
    const owner = await shop(world())
    const [id = ''] = await payments(owner, 1)
    const at = (await call('GET', `${path}/${id}`, { key: owner.key })).body.created_at as string
    const day = at.slice(0, 10)
    const shown = async (query: string) => idsOf((await list(owner.key, query)).body)
    expect(await shown(`?created_from=${day}&created_to=${day}`)).toEqual([id])
    expect(await shown(`?created_from=${at}&created_to=${at}`)).toEqual([id])
    expect(await shown('?created_to=2020-01-01')).toEqual([])
    expect(await shown('?created_from=2100-01-01T00:00:00Z')).toEqual([])
  })

  it('may start after a payment of another status', async () => {
    const owner = await shop(world())
    const page = await newLink(world(), owner)
    const paid = (await paidPayment(world(), owner, page)).id
    const pending = (await payment(world(), owner, page)).id
    const { body } = await list(owner.key, `?status=succeeded&starting_after=${pending}`)
    expect(idsOf(body)).toEqual([paid])
  })

  it('keeps the two environments apart', async () => {
    const live = await shop(world())
    const sandbox = await shop(world(), { ...live.tenant, environment: 'test' })
    const [id] = await payments(sandbox, 1)
    expect(idsOf((await list(live.key)).body)).toEqual([])
    expect(idsOf((await list(sandbox.key)).body)).toEqual([id])
  })
})

describe('400', () => {
  it.each(['created_from=yesterday', 'created_to=2026-02-30', 'email=no one', 'qr_code_id=1'])(
    'is the answer to %s',
    async (query) => {
      const { key } = await shop(world())
      const { status, body } = await list(key, `?${query}`)
      expect([status, Object.keys(body.error.fieldErrors)]).toEqual([400, [query.split('=')[0]]])
    },
  )

  it.each([
    // covers: query `limit` (integer 1-100, default 20)
    // covers: GET /payments page size: 1 to 100, default 20
    '0',
    // covers: query `limit` (integer 1-100, default 20)
    // covers: GET /payments page size: 1 to 100, default 20
    '101',
    '-1',
    // covers: query `limit` (integer 1-100, default 20)
    '1.5',
    '1e1',
    '',
    'ten',
    '+5',
    '9999',
  ])('is answered to a limit of "%s"', async (limit) => {
    const { key } = await shop(world())
    const { status, body } = await list(key, `?limit=${encodeURIComponent(limit)}`)
    expect(status).toBe(400)
    expect(body.error.fieldErrors.limit).toEqual(['Must be a whole number from 1 to 100.'])
  })

  it('is answered to a limit that is given twice', async () => {
    const { key } = await shop(world())
    expect((await list(key, '?limit=1&limit=2')).status).toBe(400)
  })

  // covers: pending, processing, succeeded
  it.each(['paid', 'SUCCEEDED', ''])('is answered to the status "%s"', async (status) => {
    const { key } = await shop(world())
    const answer = await list(key, `?status=${status}`)
    expect(answer.status).toBe(400)
    expect(answer.body.error.fieldErrors.status).toHaveLength(1)
  })

  // covers: `starting_after` (uuid cursor)
  it('is answered to a cursor that is no payment of this business and environment', async () => {
    const { key, tenant } = await shop(world())
    const other = await payment(world())
    const sandbox = await shop(world(), { ...tenant, environment: 'test' })
    const [id] = await payments(sandbox, 1)
    for (const cursor of [randomUUID(), 'x', '', other.id, id]) {
      const { status, body } = await list(key, `?starting_after=${cursor}`)
      expect(status).toBe(400)
      expect(Object.keys(body.error.fieldErrors)).toEqual(['starting_after'])
    }
  })
})

describe('403', () => {
  // covers: GET /payments, payments:read
  it('is answered to a key without payments:read', async () => {
    const { text } = await world().key({ service: 'merchant', scopes: ['account:read'] })
    expect((await list(text)).status).toBe(403)
  })
})
