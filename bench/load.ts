// Puts one side under load for a moment, with wrk.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cpuMs } from './cpu.ts'
import type { Round } from './report.ts'
import type { Running } from './servers.ts'

export type Request = {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  // Arguments for requests.lua; without them, every request is the same.
  readonly varied?: readonly [
    kind: 'payment' | 'page' | 'link' | 'payout' | 'invoice',
    total: number,
  ]
}

// Many short rounds, so that other load on the machine affects both sides alike.
const secondsPerRound = 1
export const connections = 16

const run = promisify(execFile)

const script = fileURLToPath(new URL('requests.lua', import.meta.url))

export async function compare(
  service: Running,
  baseline: Running,
  request: Request,
): Promise<Round> {
  const our = await load(service, request)
  const bare = await load(baseline, request)
  return {
    ours: our.perSecond,
    baseline: bare.perSecond,
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
