// One service per data directory. The lock is flock(2) on an open file, so the kernel drops it
// when the process ends, however it ends: nothing can be left behind, and no process id is
// compared that another program may have got since. Node has no flock, but the lock belongs to
// the open file rather than to whoever asked for it: the `flock` command takes it on our
// descriptor and goes, and it stays ours. macOS can ask for the same lock while opening.
//
// Everything else about the embedded server relies on this: whoever holds the lock may treat all
// that lies in the directory (half-made files, an orphaned server) as remains.
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  constants,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../basics/start-error.ts'

export type DataDirectory = {
  readonly path: string
  // Leaves a line for commands that run beside the service: where it can be reached.
  announce(address: string): void
  release(): void
}

// O_EXLOCK of macOS and the BSDs, which Node passes through without naming it.
const openWithExclusiveLock = 0x20

export function lockDataDirectory(path: string): DataDirectory {
  const file = join(path, 'lock')
  const descriptor = openLocked(path, file)
  const write = (...lines: (string | number)[]) => {
    ftruncateSync(descriptor)
    writeSync(descriptor, `${lines.join('\n')}\n`, 0)
  }
  write(process.pid)
  let held = true
  return {
    path,
    announce: (address) => write(process.pid, address),
    release() {
      if (held) closeSync(descriptor)
      held = false
    },
  }
}

// What the service that holds, or last held, the lock has announced.
export function findAnnouncedAddress(path: string): string | undefined {
  return readLock(join(path, 'lock'))[1]
}

function readLock(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}

function openLocked(path: string, file: string): number {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    if (process.platform !== 'linux') {
      return openSync(
        file,
        constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | openWithExclusiveLock,
        0o600,
      )
    }
    const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600)
    takeLock(descriptor, path, file)
    return descriptor
  } catch (error) {
    if (error instanceof StartError) throw error
    if (errorCode(error) === 'EAGAIN') throw alreadyRuns(path, file)
    throw new StartError(`DATA_DIR ${path} cannot be used: ${String(error)}`, { cause: error })
  }
}

function takeLock(descriptor: number, path: string, file: string): void {
  const result = spawnSync('flock', ['-n', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', descriptor],
  })
  if (result.status === 0) return
  closeSync(descriptor)
  if (result.status === 1) throw alreadyRuns(path, file)
  const reason = result.error ? String(result.error) : result.stderr.toString().trim()
  throw new StartError(
    `the embedded database needs the command flock (package util-linux): ${reason}. ` +
      'Install it, or set DATABASE_URL to a PostgreSQL of your own.',
  )
}

function alreadyRuns(path: string, file: string): StartError {
  const [pid] = readLock(file)
  return new StartError(
    `DATA_DIR ${path} is in use by another start of this service${pid && ` (process ${pid})`}. ` +
      'Stop that one first, or give this one a DATA_DIR, a PORT and a SIMULATOR_PORT of its own.',
  )
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
