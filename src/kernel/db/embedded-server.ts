// The PostgreSQL that comes with the service, for a machine that has none. It is an ordinary
// server: its own processes, its data in DATA_DIR/postgres, fsync on.
//
// It listens on a Unix socket in a directory that only its owner may enter, and on no network
// address: there is no password to keep and no port to guess, and other users of the machine
// cannot reach it. It runs in a session of its own, so that Ctrl-C in the terminal reaches the
// service alone, which lets requests finish first and then stops the server itself.
import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../basics/log.ts'
import { StartError } from '../basics/start-error.ts'
import { type Binaries, embeddedMajorVersion, findBinaries } from './embedded-binaries.ts'
import { createCluster } from './embedded-cluster.ts'
import { chooseIdentity, type Identity, makePrivateDirectory } from './embedded-identity.ts'
import type { DataDirectory } from './embedded-lock.ts'
import {
  clearServerDirectory,
  readPostmaster,
  serverProcesses,
  signalProcess,
} from './embedded-processes.ts'

export type EmbeddedServer = {
  // True when this start made the database.
  readonly created: boolean
  // Of the given database; the server is made with one named `postgres`.
  url(database: string): string
  // Settles when the server has ended, asked or not.
  readonly ended: Promise<void>
  stop(): Promise<void>
  // For the moment in which we end ourselves: the server goes on to stop cleanly without us.
  stopWithoutWaiting(): void
}

export type EmbeddedServerOptions = {
  directory: DataDirectory
  // Where `unshare` is looked for; the server gets nothing else of our environment.
  searchPath: string
  log: Log
  signal: AbortSignal
  // Only tests turn durability off; people tune DATA_DIR/postgres/postgresql.conf.
  settings?: Record<string, string>
}

const userName = 'tillbook'
const port = 5432
const startsMax = 3
const pollMs = 20
// Replaying the log after a crash may take minutes on a slow disk; longer means it hangs.
const startMaxMs = 600_000
const stopMaxMs = 60_000
const logBytesMax = 10_000_000
// The address of a Unix socket holds 107 bytes on Linux and 103 on macOS.
const socketPathBytesMax = 103

export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const dataDir = options.directory.path
  const serverDir = join(dataDir, 'postgres')
  const binaries = await findBinaries()
  const { searchPath } = options
  const identity = chooseIdentity({ dataDir, serverDir, binary: binaries.postgres, searchPath })
  const created = !existsSync(serverDir)
  if (created) await createCluster({ serverDir, binaries, identity, searchPath, userName })
  else assertMajorVersion(serverDir)
  // A copy restored from a backup is often open to others, which PostgreSQL refuses.
  chmodSync(serverDir, 0o700)
  options.signal.throwIfAborted()

  for (let start = 1; ; start += 1) {
    await clearServerDirectory(serverDir, options.log)
    const socketDir = makeSocketDirectory(dataDir, identity)
    const logOffset = rotateServerLog(dataDir)
    const child = spawnServer(options, { serverDir, socketDir, binaries, identity })
    const ended = endOf(child)
    if (await becomesReady(child, ended, serverDir, options.signal)) {
      const url = (database: string) => embeddedUrl(socketDir, database)
      return { created, url, ended, ...stopping(child, ended, socketDir, dataDir) }
    }
    // A service killed right after it had started its server leaves one that nobody could see
    // yet; whichever of both came second has ended.
    if (start === startsMax || serverProcesses(serverDir).length === 0) {
      const log = serverLog(dataDir)
      const said = readFileSync(log).subarray(logOffset).toString('utf8').trim()
      throw new StartError(`the embedded database did not start (its log is ${log}):\n${said}`)
    }
  }
}

// For commands that run beside the service: the address of the server that it runs.
export function findEmbeddedServer(dataDir: string, database: string): string | undefined {
  const serverDir = join(dataDir, 'postgres')
  if (!existsSync(serverDir)) return undefined
  const postmaster = readPostmaster(serverDir)
  if (!postmaster?.ready || !serverProcesses(serverDir).includes(postmaster.pid)) return undefined
  return embeddedUrl(postmaster.socketDir, database)
}

function embeddedUrl(socketDir: string, database: string): string {
  return `postgres://${userName}@localhost:${port}/${database}?host=${encodeURIComponent(socketDir)}`
}

function assertMajorVersion(serverDir: string): void {
  const version = readFileSync(join(serverDir, 'PG_VERSION'), 'utf8').trim()
  if (version === embeddedMajorVersion) return
  throw new StartError(
    `${serverDir} was made by PostgreSQL ${version}, and this release brings ` +
      `${embeddedMajorVersion}. Start the release that made it and move the data with pg_dump.`,
  )
}

function makeSocketDirectory(dataDir: string, identity: Identity): string {
  const besideData = join(dataDir, 'socket')
  const fits = Buffer.byteLength(join(besideData, `.s.PGSQL.${port}`)) <= socketPathBytesMax
  // Remains of a killed server would stop a new one when their process id is in use again.
  if (fits) rmSync(besideData, { recursive: true, force: true })
  const path = fits ? besideData : mkdtempSync(join(tmpdir(), 'tillbook-'))
  makePrivateDirectory(path, identity)
  return path
}

type Parts = { serverDir: string; socketDir: string; binaries: Binaries; identity: Identity }

function spawnServer(options: EmbeddedServerOptions, parts: Parts): ChildProcess {
  const settings = {
    ...options.settings,
    listen_addresses: '',
    port: String(port),
    unix_socket_directories: `"${parts.socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  }
  const { prefix, user } = parts.identity
  const [command = parts.binaries.postgres, ...args] = [
    ...prefix,
    parts.binaries.postgres,
    '-D',
    parts.serverDir,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const log = openSync(serverLog(options.directory.path), 'a', 0o600)
  try {
    return spawn(command, args, {
      cwd: '/',
      detached: true,
      env: { PATH: options.searchPath, LC_ALL: 'C' },
      stdio: ['ignore', log, log],
      ...user,
    })
  } finally {
    closeSync(log)
  }
}

// One earlier log is kept. Answers where the lines of this start will begin.
function rotateServerLog(dataDir: string): number {
  const path = serverLog(dataDir)
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size <= logBytesMax) return size
  renameSync(path, `${path}.1`)
  return 0
}

function serverLog(dataDir: string): string {
  return join(dataDir, 'postgres.log')
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
}

// The server itself writes into its pid file when it takes connections.
async function becomesReady(
  child: ChildProcess,
  ended: Promise<void>,
  serverDir: string,
  signal: AbortSignal,
): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < startMaxMs; waitedMs += pollMs) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
      return false
    }
    const postmaster = readPostmaster(serverDir)
    if (postmaster?.pid === child.pid && postmaster?.ready) return true
    if (signal.aborted) break
    await delay(pollMs)
  }
  child.kill('SIGINT')
  await ended
  signal.throwIfAborted()
  throw new StartError(`the embedded database did not become ready in ${startMaxMs / 1000} seconds`)
}

function stopping(child: ChildProcess, ended: Promise<void>, socketDir: string, dataDir: string) {
  const stopWithoutWaiting = () => {
    if (child.pid !== undefined) signalProcess(child.pid, 'SIGINT')
  }
  return {
    stopWithoutWaiting,
    async stop() {
      stopWithoutWaiting()
      const late = AbortSignal.timeout(stopMaxMs)
      // An immediate end is safe: what was committed is in the log, which the next start replays.
      late.addEventListener('abort', () => child.kill('SIGQUIT'))
      await ended
      if (!socketDir.startsWith(dataDir)) rmSync(socketDir, { recursive: true, force: true })
    },
  }
}
