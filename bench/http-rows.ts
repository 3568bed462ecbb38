// The service compared with a bare Fastify handler on the same database.
import { insertSucceededPayments, loadingConnection, paymentId } from './data.ts'
import { compare, type Request } from './load.ts'
import { measure, type Row } from './report.ts'
import { type Running, startBaseline, startService, withDirectory } from './servers.ts'

const api = '/merchant/api/v1'
const payments = 100_000
const unit = 'requests a second'

type HttpRow = Row & { readonly request: Request; readonly asked?: string }

export const httpRows: readonly HttpRow[] = [
  {
    name: 'account',
    title: 'GET /account against the same SQL',
    goal: { atLeast: 0.75 },
    unit,
    request: { path: `${api}/account` },
  },
  {
    name: 'create-link',
    title: 'POST /payment-links, each with its idempotency key, against the same SQL',
    goal: { atLeast: 0.7 },
    unit,
    request: { path: `${api}/payment-links`, varied: ['link', payments] },
  },
  {
    name: 'get-payment',
    title: `GET /payments/{id}, one of ${payments}, against the same SQL`,
    goal: { atLeast: 0.7 },
    unit,
    request: { path: `${api}/payments`, varied: ['payment', payments] },
    asked: `${api}/payments/${paymentId(payments)}`,
  },
  {
    name: 'list-payments',
    title: `GET /payments?limit=100, out of ${payments}, against the same SQL`,
    goal: { atLeast: 0.7 },
    unit,
    request: { path: `${api}/payments?limit=100` },
  },
]

export async function measureHttp(rows: readonly HttpRow[]): Promise<void> {
  await withDirectory(async (dataDir, defer) => {
    const service = await startService(dataDir)
    defer(service.stop)
    const { sql, close } = loadingConnection(dataDir)
    await insertSucceededPayments(sql, service.demo.business_id, payments)
    await close()
    const baseline = await startBaseline(service)
    defer(baseline.stop)
    const headers = { authorization: `Bearer ${service.demo.merchant.live_key}` }
    for (const row of rows) {
      const request = { ...row.request, headers }
      await assertSameAnswer(service, baseline, row, headers)
      await measure(row, async () => compare(service, baseline, request))
    }
  })
}

// The baseline must send the same response. New links differ in their generated values.
async function assertSameAnswer(
  service: Running,
  baseline: Running,
  row: HttpRow,
  headers: Record<string, string>,
): Promise<void> {
  const path = row.asked ?? row.request.path
  const isNew = row.request.varied?.[0] === 'link'
  const [ours, bare] = await Promise.all(
    [service, baseline].map(async ({ url, name }) => {
      const response = await fetch(url + path, isNew ? newLink(name, headers) : { headers })
      const text = await response.text()
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`)
      return isNew ? withoutNew(text) : text
    }),
  )
  if (ours !== bare) throw new Error(`${path}: the baseline sends other bytes: ${bare} not ${ours}`)
}

function newLink(name: string, headers: Record<string, string>): RequestInit {
  return {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': name },
    body: '{"title":"Order 1001","currency":"NGN","amount":1250.5}',
  }
}

function withoutNew(text: string): string {
  const { id, url, created_at, ...rest } = JSON.parse(text) as Record<string, unknown>
  return JSON.stringify({ ...rest, isWhole: Boolean(id && url && created_at) })
}
