// A call that writes, repeated at the service and at a bare handler with the same SQL.
import { compare, type Request } from './load.ts'
import { measure, type Row } from './report.ts'
import {
  type Running,
  type RunningService,
  startBaseline,
  startService,
  withDirectory,
} from './servers.ts'

export type WrittenCall = {
  readonly path: string
  // Its name in requests.lua.
  readonly varied: NonNullable<Request['varied']>[0]
  readonly body: unknown
  readonly status: number
  // The part that differs from one response to the next.
  readonly differing: RegExp
  keyOf(service: RunningService): string
  // Inserts what the call needs.
  prepare(service: RunningService): Promise<void>
}

export async function measureWrites(row: Row, call: WrittenCall): Promise<void> {
  await withDirectory(async (dataDir, defer) => {
    const service = await startService(dataDir)
    defer(service.stop)
    await call.prepare(service)
    const baseline = await startBaseline(service)
    defer(baseline.stop)
    const headers = { authorization: `Bearer ${call.keyOf(service)}` }
    await assertSameAnswer(service, baseline, headers, call)
    const request = { path: call.path, headers, varied: [call.varied, 1] } as const
    await measure(row, () => compare(service, baseline, request))
  })
}

// The baseline must send the same response.
async function assertSameAnswer(
  service: Running,
  baseline: Running,
  headers: Record<string, string>,
  { path, body, status, differing }: WrittenCall,
): Promise<void> {
  const [ours, bare] = await Promise.all(
    [service, baseline].map(async ({ url, name }) => {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': name },
        body: JSON.stringify(body),
      })
      const text = await response.text()
      if (response.status !== status) throw new Error(`${path}: ${response.status} ${text}`)
      return text.replaceAll(differing, '')
    }),
  )
  if (ours !== bare) throw new Error(`${path}: the baseline sends other bytes: ${bare} not ${ours}`)
}
