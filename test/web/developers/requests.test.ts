// The log of API requests: what is in it, who sees it, and for how long.
import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { access } from '../../../src/app/access.ts'
import { expireApiRequestsSchedule } from '../../../src/kernel/access/expire-api-requests.ts'
import { createRequestRecorder } from '../../../src/kernel/access/record-api-requests.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const api = '/merchant/api/v1'
const page = '/developers/requests'

let seller: Awaited<ReturnType<typeof shop>>
let owner: AppVisitor

beforeAll(async () => {
  seller = await shop(world())
  owner = await appVisitor(world(), seller.tenant.businessId)
})

const actor = () => ({ kind: 'system', name: 'test', ...seller.tenant }) as const
type Filter = z.input<typeof access.listApiRequests.input>
async function listed(filter: Record<string, string> = {}) {
  await world().flushRequests?.()
  const { listApiRequests } = access
  return runOperation(listApiRequests, world().context, actor(), filter as Filter)
}

describe('a request with a valid key', () => {
  it('is logged without its query and body, also when it is refused', async () => {
    const { key } = seller
    await world().call('GET', `${api}/payments?email=jane@example.com`, { key })
    const refused = await world().call('POST', `${api}/payment-links`, {
      key,
      body: { title: 'Secret title' },
    })
    const { requests } = await listed()
    expect(requests.slice(0, 2)).toMatchObject([
      {
        method: 'POST',
        path: `${api}/payment-links`,
        status: 400,
        requestId: refused.headers.get('x-request-id'),
        address: '127.0.0.1',
        at: expect.any(Date),
      },
      { method: 'GET', path: `${api}/payments`, status: 200 },
    ])
    const rows = await world().database.sql`
      select request::text as text
      from kernel.api_requests as request
      where business_id = ${seller.tenant.businessId}`
    expect(JSON.stringify(rows)).not.toMatch(/jane|Secret/)
  })

  it('is logged when its path does not exist, or not with its method', async () => {
    const { key } = seller
    await world().call('GET', `${api}/no-such-path`, { key })
    await world().call('DELETE', `${api}/payment-links`, { key })
    expect((await listed()).requests.slice(0, 2)).toMatchObject([
      { method: 'DELETE', path: `${api}/payment-links`, status: 404, keyId: expect.any(String) },
      { method: 'GET', path: `${api}/no-such-path`, status: 404, keyName: expect.any(String) },
    ])
  })

  it('is found by each filter', async () => {
    const { key } = seller
    const id = '01a1e2fb-222f-70e2-8bb2-de5326224240'
    const missing = await world().call('GET', `${api}/payments/${id}`, { key })
    const requestId = missing.headers.get('x-request-id') ?? ''
    const { requests: all } = await listed()
    const keyId = all[0]?.keyId ?? ''
    for (const filter of [
      { requestId },
      { method: 'GET', status: '4xx', path: id },
      { keyId, path: id },
      { from: '2000-01-01', to: '2999-01-01', path: id },
    ]) {
      expect((await listed(filter)).requests).toMatchObject([{ requestId, status: 404 }])
    }
    for (const filter of [
      { requestId, method: 'POST' },
      { requestId, status: '2xx' },
      { requestId, keyId: id },
      { requestId, to: '2000-01-01' },
      { requestId, from: '2999-01-01' },
    ]) {
      expect((await listed(filter)).requests).toEqual([])
    }
  })

  it('belongs to its business and environment alone', async () => {
    const other = await shop(world())
    const sandbox = await appVisitor(world(), seller.tenant.businessId)
    await world().call('GET', `${api}/balances`, { key: other.key })
    await world().flushRequests?.()
    expect((await owner.get(`${page}?path=balances`)).text).toContain('No requests found')
    expect((await sandbox.get(`/test${page}`)).text).toContain('No requests yet')
  })
})

it('a request without a valid key belongs to no business and is not logged', async () => {
  const [before] = await world().database.sql`select count(*)::integer from kernel.api_requests`
  await world().flushRequests?.()
  await world().call('GET', `${api}/payments`)
  await world().call('GET', `${api}/payments`, { key: `${seller.key.slice(0, -1)}x` })
  const unknown = { key: `${seller.key.slice(0, -1)}x` }
  expect((await world().call('GET', `${api}/no-such-path`, unknown)).status).toBe(404)
  await world().flushRequests?.()
  expect(await world().database.sql`select count(*)::integer from kernel.api_requests`).toEqual([
    before,
  ])
})

it('is read page by page, without gaps or repeats', async () => {
  const { tenant } = await shop(world())
  const recorder = createRequestRecorder(world().context)
  const shared = { ...tenant, keyId: tenant.businessId, method: 'GET', path: '/', status: 200 }
  for (let number = 0; number < 120; number += 1) {
    const requestId = `req_${number}`
    recorder.record({ ...shared, requestId, durationMs: 1, address: '127.0.0.1' })
  }
  await recorder.flush()
  const seen: string[] = []
  let before: string | null = null
  do {
    const wanted: { before?: string } = before === null ? {} : { before }
    const reader = { kind: 'system', name: 'test', ...tenant } as const
    const found = await runOperation(access.listApiRequests, world().context, reader, wanted)
    seen.push(...found.requests.map(({ requestId }) => requestId))
    before = found.nextBefore
  } while (before)
  expect(seen).toEqual(Array.from({ length: 120 }, (_, index) => `req_${119 - index}`))
})

it('the page shows it to every role, with the key’s name', async () => {
  await world().call('GET', `${api}/payouts`, { key: seller.key })
  await world().flushRequests?.()
  const viewer = await appVisitor(world(), seller.tenant.businessId, 'viewer')
  const { status, text } = await viewer.get(`${page}?path=payouts`)
  expect(status).toBe(200)
  expect(text).toContain(`GET ${api}/payouts`)
  expect((await owner.get(`${page}?from=yesterday`)).text).toContain('A filter could not be read.')
})

it('is kept for thirty days', async () => {
  await world().call('GET', `${api}/account`, { key: seller.key })
  const { requests } = await listed({ path: 'account' })
  const madeMs = requests[0]?.at.getTime() ?? 0
  const { context } = world()
  const expireAfter = (ms: number) => {
    const clock = { ...context.clock, now: () => new Date(madeMs + ms) }
    return expireApiRequestsSchedule.run({ ...context, clock }, new AbortController().signal)
  }
  const days = 30 * 86_400_000
  await expireAfter(days)
  expect((await listed({ path: 'account' })).requests).toHaveLength(1)
  await expireAfter(days + 1)
  expect((await listed({ path: 'account' })).requests).toEqual([])
})
