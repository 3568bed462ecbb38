// A call that writes, made again and again at the service and at a bare handler with the same SQL.
import { compare, type Request } from './load.ts'
import { measure, type Row } from './report.ts'
import {
  type Running,
  type RunningService,
  startFloor,
  startService,
  withDirectory,
} from './servers.ts'

export type WrittenCall = {
  readonly path: string
  // How requests.lua names it.
  readonly varied: NonNullable<Request['varied']>[0]
  readonly body: unknown
  readonly status: number
  // What differs from one answer to the next.
  readonly differing: RegExp
  keyOf(service: RunningService): string
  // Puts in what the call needs.
  prepare(service: RunningService): Promise<void>
}

export async function measureWrites(row: Row, call: WrittenCall): Promise<void> {
  await withDirectory(async (dataDir, defer) => {
    const service = await startService(dataDir)
    defer(service.stop)
    await call.prepare(service)
    const floor = await startFloor(service)
    defer(floor.stop)
    const headers = { authorization: `Bearer ${call.keyOf(service)}` }
    await assertSameAnswer(service, floor, headers, call)
    const request = { path: call.path, headers, varied: [call.varied, 1] } as const
    await measure(row, () => compare(service, floor, request))
  })
}

// A floor that answered something else would be no floor.
async function assertSameAnswer(
  service: Running,
  floor: Running,
  headers: Record<string, string>,
  { path, body, status, differing }: WrittenCall,
): Promise<void> {
  const [ours, bare] = await Promise.all(
    [service, floor].map(async ({ url, name }) => {
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
  if (ours !== bare) throw new Error(`${path}: the floor answers other bytes: ${bare} not ${ours}`)
}
