// A PostgreSQL of the system, the oldest that is installed and that we support, on a Unix socket.
import { execFileSync, spawn } from 'node:child_process'
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

// Answers the address of its database `postgres`.
export async function startOldestPostgres(): Promise<string> {
  const directory = temporaryDirectory()
  const serverDir = join(directory, 'server')
  const binaries = join(home, String(oldestInstalledVersion()), 'bin')
  const binary = join(binaries, 'postgres')
  const searchPath = process.env.PATH ?? ''
  const identity = chooseIdentity({ dataDir: directory, serverDir, binary, searchPath })
  mkdirSync(serverDir, { mode: 0o700 })
  chmodSync(serverDir, 0o700)
  const run = [...identity.prefix]
  execFileSync('env', [...run, join(binaries, 'initdb'), ...initdbOptions, '-D', serverDir], {
    stdio: 'ignore',
  })
  const settings = ['listen_addresses=', `unix_socket_directories=${directory}`, 'fsync=off']
  const server = spawn(
    'env',
    [...run, binary, '-D', serverDir, ...settings.flatMap((setting) => ['-c', setting])],
    { stdio: 'ignore' },
  )
  const ended = new Promise((settle) => server.once('exit', settle))
  onTestFinished(async () => {
    server.kill('SIGINT')
    await ended
  })
  await eventually(() => readPostmaster(serverDir)?.ready ?? false)
  return `postgres://tillbook@localhost/postgres?host=${encodeURIComponent(directory)}`
}

const initdbOptions = ['-U', 'tillbook', '-A', 'trust', '-E', 'UTF8', '--locale=C']
