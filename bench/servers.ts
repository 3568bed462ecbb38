// The two sides of a measurement, each a separate process on the same database.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assertDefined } from '../src/kernel/basics/assert.ts'
import { findEmbeddedServer } from '../src/kernel/db/embedded-server.ts'
import type { Demo } from '../src/start/demo.ts'

export type Running = { name: string; url: string; pid: number; stop(): Promise<void> }
export type RunningService = Running & { demo: Demo; dataDir: string }

const root = fileURLToPath(new URL('..', import.meta.url))
const startMsMax = 60_000

export type Defer = (end: () => Promise<void>) => void

// A temporary directory. The work can defer what must be stopped before the directory is removed.
export async function withDirectory(
  work: (path: string, defer: Defer) => Promise<void>,
): Promise<void> {
  const path = mkdtempSync(join(tmpdir(), 'tillbook-bench-'))
  const ends: (() => Promise<void>)[] = []
  const clear = async () => {
    for (let end = ends.shift(); end; end = ends.shift()) await end()
    rmSync(path, { recursive: true, force: true })
  }
  // The database runs in a separate session and would outlive us.
  const interrupt = () => void clear().finally(() => process.exit(130))
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    await work(path, (end) => ends.unshift(end))
  } finally {
    await clear()
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}

export function databaseUrl(dataDir: string): string {
  return assertDefined(findEmbeddedServer(dataDir, 'tillbook'), `no database in ${dataDir}`)
}

export async function startService(dataDir: string): Promise<RunningService> {
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    PORT: String(await freePort()),
    SIMULATOR_PORT: '0',
    DATA_DIR: dataDir,
    DEMO: 'off',
    // As in production, except for the limits, which a single busy client would reach at once.
    RATE_LIMIT_PER_KEY: '100000000',
    RATE_LIMIT_PER_ADDRESS: '100000000',
  }
  const running = await start('dist/main.js', env, '/readyz')
  const output = execFileSync(process.execPath, ['dist/cli/main.js', 'demo', '--json'], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  return { ...running, dataDir, demo: JSON.parse(output) as Demo }
}

export async function startBaseline(service: RunningService): Promise<Running> {
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    PORT: String(await freePort()),
    DATA_DIR: service.dataDir,
    BUSINESS_ID: service.demo.business_id,
    PUBLIC_URL: service.url,
  }
  return start('bench/baseline.ts', env, '/readyz')
}

async function start(
  file: string,
  env: Record<string, string | undefined>,
  readyPath: string,
): Promise<Running> {
  const child = spawn(process.execPath, [file], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${env.PORT}`
  const deadline = performance.now() + startMsMax
  while (!(await answers(url + readyPath))) {
    if (child.exitCode !== null) throw new Error(`${file} ended with status ${child.exitCode}`)
    if (performance.now() > deadline) throw new Error(`${file} did not start`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const pid = assertDefined(child.pid, `${file} has no process`)
  return { name: file, url, pid, stop: () => stop(child) }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
