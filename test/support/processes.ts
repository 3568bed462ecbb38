// Real processes of the built service, each with its own data directory and port. Processes and
// files that a test leaves behind are removed when it ends.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { createLog } from '../../src/kernel/basics/log.ts'
import { clearServerDirectory } from '../../src/kernel/db/embedded-processes.ts'
import { memoryDirectory } from './memory-directory.ts'
import { handOutPrinted, keepLogLines, runDirectory } from './run-log.ts'

export type Service = {
  readonly process: ChildProcess
  readonly url: string
  stdout(): string
  stderr(): string
  // The exit status, or the name of the signal that ended it.
  readonly ended: Promise<number | string>
  // Waits for a text on stdout; fails when the process ends first.
  until(text: string): Promise<void>
  ready(): Promise<void>
  // Waits until /readyz has this status. A database that a busy machine keeps waiting for a moment
  // makes it 503 for as long.
  probed(status: 200 | 503): Promise<void>
  kill(signal: NodeJS.Signals): void
}

export type ServiceOptions = {
  env?: Record<string, string>
  args?: string[]
  // Put before `node`, for example to run as another user.
  prefix?: string[]
  // Where the built code lies; the checkout unless told.
  home?: string
  node?: string
  // Starts it through npm, as a person does; signals then go to npm.
  npmScript?: string
}

export const checkout = resolve(import.meta.dirname, '../..')

export async function startService(options: ServiceOptions): Promise<Service> {
  const home = options.home ?? checkout
  const main = join(home, 'dist', 'main.js')
  if (!existsSync(main)) throw new Error('dist is missing: run `npm test`, or `npm run build`')
  // Sample data takes a while, and few tests are about it.
  const hasNoDemo = options.env?.DATABASE_URL ?? options.env?.PUBLIC_URL
  const demo = hasNoDemo ? {} : { DEMO: 'empty' }
  const port = options.env?.PORT ?? String(await freePort())
  const [command = '', ...args] = options.npmScript
    ? ['npm', 'run', options.npmScript]
    : [...(options.prefix ?? []), options.node ?? process.execPath, main, ...(options.args ?? [])]
  const child = spawn(command, args, {
    cwd: home,
    env: { PATH: process.env.PATH, PORT: port, SIMULATOR_PORT: '0', ...demo, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // npm starts the service in its own process, which would outlive a killed npm. In a separate
    // group both can be ended together.
    detached: options.npmScript !== undefined,
  })
  return watch(child, `http://127.0.0.1:${port}`)
}

// A command that goes on until it is told to end.
export function startCli(env: Record<string, string>, ...args: string[]): Service {
  const command = [join(checkout, 'dist', 'cli', 'main.js'), ...args]
  const child = spawn(process.execPath, command, {
    cwd: checkout,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return watch(child, '')
}

function watch(child: ChildProcess, url: string): Service {
  const output = { stdout: '', stderr: '' }
  const listeners = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.on('data', (chunk: Buffer) => {
      output[name] += chunk.toString('utf8')
      for (const listener of listeners) listener()
    })
  }
  const ended = new Promise<number | string>((settle) => {
    child.once('close', (code, signal) => {
      keepLogLines(output.stdout)
      handOutPrinted(output.stdout)
      settle(code ?? signal ?? 'unknown')
    })
  })
  onTestFinished(async () => {
    endGroup(child)
    await ended
  })
  const until = (text: string) =>
    new Promise<void>((settle, reject) => {
      const look = () => output.stdout.includes(text) && settle()
      listeners.add(look)
      look()
      ended.then((status) => reject(new Error(`ended (${status}): ${JSON.stringify(output)}`)))
    })
  return {
    process: child,
    url,
    ended,
    until,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    ready: () => until('"msg":"ready"'),
    probed: (status) => eventually(async () => (await fetch(`${url}/readyz`)).status === status),
    kill: (signal) => child.kill(signal),
  }
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has no separate group, or the group is empty.
    child.kill('SIGKILL')
  }
}

// Removed at the end, with the database that may still run in it.
export function dataDirectory(parent = temporaryDirectory(memoryDirectory())): string {
  const path = join(parent, 'data')
  onTestFinished(async () => {
    const server = join(path, 'postgres')
    if (existsSync(server)) await clearServerDirectory(server, createLog('silent'))
  })
  return path
}

// One with a database that is already made and migrated: a copy, since making it takes a while.
// The first test that needs it creates it for all.
export async function preparedDataDirectory(
  parent = temporaryDirectory(memoryDirectory()),
): Promise<string> {
  const path = dataDirectory(parent)
  const template = join(runDirectory(), 'data')
  await eventually(() => existsSync(template) || makeTemplate(template))
  // Node's own copy would open the directories to other users.
  execFileSync('cp', ['-a', template, path])
  return path
}

// Answers whether it was made here, and not at this moment by another process of the run.
async function makeTemplate(path: string): Promise<boolean> {
  const unfinished = `${path}.unfinished`
  if (!mkdirSync(unfinished, { recursive: true, mode: 0o700 })) return false
  try {
    // Another may have finished it after we looked.
    if (existsSync(path)) {
      rmSync(unfinished, { recursive: true })
      return true
    }
    const service = await startService({ env: { DATA_DIR: unfinished }, args: ['migrate'] })
    const status = await service.ended
    if (status !== 0) throw new Error(`migrate ended (${status}): ${service.stderr()}`)
    renameSync(unfinished, path)
    return true
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw error
  }
}

export function temporaryDirectory(parent = tmpdir()): string {
  const path = mkdtempSync(join(parent, 'tillbook-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

// Below the range from which the system picks ports by itself, and separate for each process of a
// run, so that nothing else takes the port between this check and its use, nor during a restart.
// Browsers and `fetch` refuse some ports below 10,100.
const portsOfProcess = 100
const firstPort = 10_100 + (process.pid % 200) * portsOfProcess
let portsAsked = 0

export async function freePort(): Promise<number> {
  for (;;) {
    portsAsked += 1
    const port = firstPort + (portsAsked % portsOfProcess)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((settle) => {
    server.once('error', () => settle(false))
    server.listen(port, '127.0.0.1', () => server.close(() => settle(true)))
  })
}

// Asks again until the answer is as wanted. The test's own time limit ends what never comes.
export async function eventually(wanted: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await wanted())) await new Promise((settle) => setTimeout(settle, 20))
}
