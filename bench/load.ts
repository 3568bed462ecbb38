// One side under load for a moment, by wrk.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cpuMs } from './cpu.ts'
import type { Round } from './report.ts'
import type { Running } from './servers.ts'

export type Request = {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  // What requests.lua is told; without it every request is the same.
  readonly varied?: readonly [
    kind: 'payment' | 'page' | 'link' | 'payout' | 'invoice',
    total: number,
  ]
}

// Short rounds, and many of them: whatever else the machine does then falls on both sides alike.
const secondsPerRound = 1
export const connections = 16

const run = promisify(execFile)

const script = fileURLToPath(new URL('requests.lua', import.meta.url))

export async function compare(service: Running, floor: Running, request: Request): Promise<Round> {
  const our = await load(service, request)
  const bare = await load(floor, request)
  return {
    ours: our.perSecond,
    floor: bare.perSecond,
    cpuRatio: bare.cpuMsPerRequest / our.cpuMsPerRequest,
  }
}

export async function load(side: Running, { path, headers = {}, varied }: Request) {
  const before = cpuMs(side.pid)
  const { stdout: output } = await run('wrk', [
    '-t1',
    `-c${connections}`,
    `-d${secondsPerRound}s`,
    ...(varied ? ['-s', script] : []),
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    side.url + path,
    ...(varied ? ['--', varied[0], String(varied[1])] : []),
  ])
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(`failed requests:\n${output}`)
  const requests = Number(/(\d+) requests in/.exec(output)?.[1])
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]),
    cpuMsPerRequest: (cpuMs(side.pid) - before) / requests,
  }
}
