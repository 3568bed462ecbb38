// Creates the data files of a new embedded server. They are created in a temporary directory and
// then moved, so that a crash leaves no half-made database that a later start would use.
import { spawn } from 'node:child_process'
import {
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { StartError } from '../basics/start-error.ts'
import type { Binaries } from './embedded-binaries.ts'
import { type Identity, makePrivateDirectory } from './embedded-identity.ts'

export type ClusterOptions = {
  serverDir: string
  binaries: Binaries
  identity: Identity
  searchPath: string
  userName: string
}

// Written into postgresql.conf, which the operator can change. Sized for a small machine.
const settings = {
  shared_buffers: '128MB',
  max_connections: '100',
  max_wal_size: '1GB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Our statements are short: compiling them takes longer than it saves.
  jit: 'off',
  log_checkpoints: 'off',
}

export async function createCluster(options: ClusterOptions): Promise<void> {
  const { serverDir, binaries, identity } = options
  clearRemains(serverDir)
  // A new directory each time. After a killed start, `initdb` may still run for a moment, and
  // deletes its files if it fails.
  const unfinished = mkdtempSync(`${serverDir}.unfinished-`)
  makePrivateDirectory(unfinished, identity)
  const [command = binaries.initdb, ...args] = [
    ...identity.prefix,
    binaries.initdb,
    `--pgdata=${unfinished}`,
    `--username=${options.userName}`,
    '--encoding=UTF8',
    // The server's own text order: an upgrade of the system can't change it under an index, and no
    // locale needs to be installed.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    // Anyone who can open the socket is the owner. There is no access over the network.
    '--auth-local=trust',
    '--auth-host=reject',
    ...Object.entries(settings).map(([name, value]) => `--set=${name}=${value}`),
  ]
  await run(command, args, options)
  renameSync(unfinished, serverDir)
  syncDirectory(dirname(serverDir))
}

// Retries, because another process may still write there.
function clearRemains(serverDir: string): void {
  const parent = dirname(serverDir)
  const remains = readdirSync(parent).filter((name) =>
    name.startsWith(`${basename(serverDir)}.unfinished`),
  )
  for (const name of remains) {
    rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

function run(command: string, args: string[], options: ClusterOptions): Promise<void> {
  const child = spawn(command, args, {
    cwd: '/',
    env: { PATH: options.searchPath, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options.identity.user,
  })
  const output: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => {
      if (status === 0) return resolve()
      const said = Buffer.concat(output).toString('utf8').trim()
      reject(new StartError(`the embedded database could not be created (initdb):\n${said}`))
    })
  })
}

// The move itself must survive a power cut, not only the files.
function syncDirectory(path: string): void {
  const descriptor = openSync(path, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
