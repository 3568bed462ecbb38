// The oldest supported PostgreSQL that is installed on the system, on a Unix socket.
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { chooseIdentity } from '../../src/kernel/db/embedded-identity.ts'
import { readPostmaster } from '../../src/kernel/db/embedded-processes.ts'
import { oldestMajorVersion } from '../../src/kernel/db/server-version.ts'
import { eventually, temporaryDirectory } from './processes.ts'

const home = '/usr/lib/postgresql'

export function oldestInstalledVersion(): number {
  const versions = readdirSync(home).map((version) => Number.parseInt(version, 10))
  const [oldest] = versions
    .filter((version) => version >= oldestMajorVersion)
    .toSorted((one, other) => one - other)
  if (oldest === undefined) throw new Error('no PostgreSQL is installed: run `npm test`')
  return oldest
}

// A program of the same version.
export function postgresProgram(name: string): string {
  return join(home, String(oldestInstalledVersion()), 'bin', name)
}

// Answers the address of its database `postgres`.
export async function startOldestPostgres(): Promise<string> {
  const directory = await start(['listen_addresses='])
  return `postgres://tillbook@localhost/postgres?host=${encodeURIComponent(directory)}`
}

// The same over the loopback network, with TLS. No one else uses the address, and the system does
// not assign the port.
export async function startPostgresWithTls(): Promise<string> {
  const parts = [...randomBytes(3)].map((byte) => 1 + (byte % 254))
  const address = `127.${parts.join('.')}`
  await start([`listen_addresses=${address}`, 'port=15432', 'ssl=on'])
  return `postgres://tillbook@${address}:15432/postgres?sslmode=require`
}

// Answers the directory of its socket.
async function start(own: readonly string[]): Promise<string> {
  const directory = temporaryDirectory()
  const serverDir = join(directory, 'server')
  const binaries = join(home, String(oldestInstalledVersion()), 'bin')
  const binary = join(binaries, 'postgres')
  const searchPath = process.env.PATH ?? ''
  const identity = chooseIdentity({ dataDir: directory, serverDir, binary, searchPath })
  mkdirSync(serverDir, { mode: 0o700 })
  chmodSync(serverDir, 0o700)
  const run = (...command: string[]) =>
    execFileSync('env', [...identity.prefix, ...command], { cwd: '/', stdio: 'ignore' })
  run(join(binaries, 'initdb'), ...initdbOptions, '-D', serverDir)
  // Under the names that the server looks for.
  const [key, certificate] = [join(serverDir, 'server.key'), join(serverDir, 'server.crt')]
  run('openssl', ...certificateOptions, '-keyout', key, '-out', certificate)
  const settings = [...own, `unix_socket_directories=${directory}`, 'fsync=off']
  const server = spawn(
    'env',
    [
      ...identity.prefix,
      ...[binary, '-D', serverDir],
      ...settings.flatMap((setting) => ['-c', setting]),
    ],
    { stdio: 'ignore' },
  )
  const ended = new Promise((settle) => server.once('exit', settle))
  onTestFinished(async () => {
    server.kill('SIGINT')
    await ended
  })
  await eventually(() => readPostmaster(serverDir)?.ready ?? false)
  return directory
}

const initdbOptions = ['-U', 'tillbook', '-A', 'trust', '-E', 'UTF8', '--locale=C']
const certificateOptions = [
  ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
  ...['-days', '2', '-subj', '/CN=database'],
]
