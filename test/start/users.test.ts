// @module-tag long
// The users as which the service and its database run. Only root can try another user, with a copy
// of the built service that every user can read, since the checkout may be closed to others.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readPostmaster } from '../../src/kernel/db/embedded-processes.ts'
import {
  checkout,
  dataDirectory,
  type Service,
  startService,
  temporaryDirectory,
} from '../support/processes.ts'

const isRoot = process.getuid?.() === 0
const nobodyUid = 65_534
const copy = { home: '', node: '' }

test('an ordinary user runs the service and owns its data', async () => {
  const parent = publicDirectory()
  const dataDir = dataDirectory(parent)
  const env = { DATA_DIR: dataDir, DEMO: 'off' }
  if (isRoot) chownSync(parent, nobodyUid, nobodyUid)
  const as = ['setpriv', `--reuid=${nobodyUid}`, `--regid=${nobodyUid}`, '--clear-groups']
  const service = isRoot
    ? await startService({ ...copyOfService(), env, prefix: as })
    : await startService({ env })
  await service.ready()
  const user = isRoot ? nobodyUid : process.getuid?.()
  expect(statSync(join(dataDir, 'postgres')).uid).toBe(user)
  expect(databaseUser(dataDir)).toBe(user)
  await endsCleanly(service)
})

test.runIf(isRoot)('root runs the database in a namespace and files stay root’s', async () => {
  const dataDir = dataDirectory()
  const service = await startService({ env: { DATA_DIR: dataDir, DEMO: 'off' } })
  await service.ready()
  expect(statSync(join(dataDir, 'postgres')).uid).toBe(0)
  expect(statSync(dirname(dataDir)).mode & 0o077).toBe(0)
  await endsCleanly(service)
})

test.runIf(isRoot)('root without namespaces runs the database as no one', async () => {
  const dataDir = dataDirectory(publicDirectory())
  const env = { DATA_DIR: dataDir, DEMO: 'off', PATH: pathWithoutNamespaces() }
  for (const _ of ['creates it', 'finds it again']) {
    const service = await startService({ ...copyOfService(), env })
    await service.ready()
    expect(databaseUser(dataDir)).toBe(nobodyUid)
    expect(statSync(join(dataDir, 'secrets.key')).uid).toBe(0)
    expect(statSync(join(dataDir, 'postgres')).mode & 0o077).toBe(0)
    await endsCleanly(service)
  }
})

test.runIf(isRoot)('root in another user’s closed home runs the database as them', async () => {
  const user = Number.parseInt(execFileSync('id', ['-u', 'daemon'], { encoding: 'utf8' }), 10)
  const home = join(publicDirectory(), 'home')
  mkdirSync(home, { mode: 0o700 })
  chownSync(home, user, user)
  const dataDir = dataDirectory(home)
  const env = { DATA_DIR: dataDir, DEMO: 'off' }
  const service = await startService({ ...copyOfService(), env })
  await service.ready()
  expect(databaseUser(dataDir)).toBe(user)
  await endsCleanly(service)
})

test.runIf(isRoot)('root is told the ways out where nothing works', async () => {
  const dataDir = dataDirectory()
  const env = { DATA_DIR: dataDir, PATH: pathWithoutNamespaces() }
  const service = await startService({ env })
  expect(await service.ended).toBe(1)
  expect(service.stderr()).toContain('PostgreSQL does not run as root')
  expect(service.stderr()).toContain('DATABASE_URL')
})

afterAll(() => {
  if (copy.home) rmSync(copy.home, { recursive: true, force: true })
})

async function endsCleanly(service: Service): Promise<void> {
  service.kill('SIGTERM')
  expect(await service.ended).toBe(0)
}

function databaseUser(dataDir: string): number {
  const pid = readPostmaster(join(dataDir, 'postgres'))?.pid
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number.parseInt(/^Uid:\s+(\d+)/m.exec(status)?.[1] ?? '', 10)
}

// An `unshare` that fails as it does where user namespaces are forbidden.
function pathWithoutNamespaces(): string {
  const directory = temporaryDirectory()
  writeFileSync(join(directory, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  return `${directory}:${process.env.PATH}`
}

function publicDirectory(): string {
  const directory = temporaryDirectory()
  chmodSync(directory, 0o755)
  return directory
}

// What a production installation has: the build, and the packages that are not for development.
// Made once. Hard links would be faster, but the temporary directory may lie on another disk.
function copyOfService(): { home: string; node: string } {
  if (copy.home) return copy
  copy.home = mkdtempSync(join(tmpdir(), 'tillbook-copy-'))
  copy.node = join(copy.home, 'node')
  const lock = JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8'))
  const packages = Object.entries<{ dev?: boolean; devOptional?: boolean }>(lock.packages)
    .filter(([path, entry]) => path !== '' && !entry.dev && !entry.devOptional)
    .map(([path]) => path)
    .filter((path) => statSync(join(checkout, path), { throwIfNoEntry: false }))
  for (const path of ['package.json', 'dist', 'migrations', 'assets', ...packages]) {
    const target = join(copy.home, path)
    cpSync(join(checkout, path), target, { recursive: true, verbatimSymlinks: true })
  }
  cpSync(process.execPath, copy.node)
  execFileSync('chmod', ['-R', 'a+rX', copy.home])
  return copy
}
