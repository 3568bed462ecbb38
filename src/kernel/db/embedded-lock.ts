// One service per data directory. The lock is flock(2) on an open file. The kernel drops it when
// the process ends in any way, so no lock is left behind, and there is no stored process id that
// another program may have now. Node has no flock. But the lock belongs to the open file: the
// `flock` command takes it on our descriptor and exits, and the lock stays ours. On macOS, opening
// the file can take the lock.
//
// The rest of the embedded server relies on this: the holder of the lock can treat half-made files
// and an orphaned server in the directory as remains of an earlier start.
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
  // Writes the address at which commands can reach the service's database.
  announce(address: string): void
  release(): void
}

// O_EXLOCK of macOS and the BSDs. Node passes it on but has no name for it.
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

// The address written by the service that has the lock, or had it last.
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
      'Install it, or set DATABASE_URL to your own PostgreSQL server.',
  )
}

function alreadyRuns(path: string, file: string): StartError {
  const [pid] = readLock(file)
  return new StartError(
    `DATA_DIR ${path} is in use by another start of this service${pid && ` (process ${pid})`}. ` +
      'Stop that one first, or set another DATA_DIR, PORT and SIMULATOR_PORT for this one.',
  )
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
