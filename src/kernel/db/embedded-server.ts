// The PostgreSQL server that comes with the service, for machines without one. It is an ordinary
// server: its own processes, data in DATA_DIR/postgres, fsync on.
//
// It listens on a Unix socket in a directory that only its owner can enter, and on no network
// address. So there is no password and no port, and other users of the machine can't reach it. It
// runs in a separate session, so that Ctrl-C in the terminal reaches only the service, which
// finishes its requests first and then stops the server.
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
  // True if this start created the database.
  readonly created: boolean
  // The address of the given database. A new server has one named `postgres`.
  url(database: string): string
  // Settles when the server has ended, on request or not.
  readonly ended: Promise<void>
  stop(): Promise<void>
  // For when our own process ends: the server continues to stop cleanly without us.
  stopWithoutWaiting(): void
}

export type EmbeddedServerOptions = {
  directory: DataDirectory
  // Where to find `unshare`. The server gets nothing else of our environment.
  searchPath: string
  log: Log
  signal: AbortSignal
  // Only tests turn durability off. Operators edit DATA_DIR/postgres/postgresql.conf.
  settings?: Record<string, string>
}

const userName = 'tillbook'
const port = 5432
const startsMax = 3
const pollMs = 20
// Replaying the log after a crash can take minutes on a slow disk. Longer means that it hangs.
const startMaxMs = 600_000
const stopMaxMs = 60_000
const logBytesMax = 10_000_000
// The address of a Unix socket has at most 107 bytes on Linux and 103 on macOS.
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
  // A copy restored from a backup is often readable by others, which PostgreSQL refuses.
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
    // A service that was killed right after starting its server leaves one that we could not see
    // yet. One of the two servers has ended; if the old one is gone, start again.
    if (start === startsMax || serverProcesses(serverDir).length === 0) {
      const log = serverLog(dataDir)
      const said = readFileSync(log).subarray(logOffset).toString('utf8').trim()
      throw new StartError(`the embedded database did not start (its log is ${log}):\n${said}`)
    }
  }
}

// The address of the service's server, for commands that run beside it.
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
    `${serverDir} was created by PostgreSQL ${version}, but this release contains ` +
      `${embeddedMajorVersion}. Start the release that created it and move the data with pg_dump.`,
  )
}

function makeSocketDirectory(dataDir: string, identity: Identity): string {
  const besideData = join(dataDir, 'socket')
  const fits = Buffer.byteLength(join(besideData, `.s.PGSQL.${port}`)) <= socketPathBytesMax
  // Leftovers of a killed server would block a new one if their process id is in use again.
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

// Keeps one earlier log. Returns the offset at which the lines of this start begin.
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

// The server writes into its pid file when it accepts connections.
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
      // An immediate end is safe: committed data is in the log, which the next start replays.
      late.addEventListener('abort', () => child.kill('SIGQUIT'))
      await ended
      if (!socketDir.startsWith(dataDir)) rmSync(socketDir, { recursive: true, force: true })
    },
  }
}
