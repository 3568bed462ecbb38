// Finds and ends processes that a killed service left running in a server directory. Every
// PostgreSQL process works in its data directory, so on Linux the working directory identifies it.
// The number in `postmaster.pid` does not: after the machine crashed, it may belong to another
// program, and PostgreSQL would refuse to start.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../basics/log.ts'
import { StartError } from '../basics/start-error.ts'

export type Postmaster = { pid: number; socketDir: string; ready: boolean }

const pollMs = 50
// A fast shutdown writes a checkpoint, which takes time on a slow disk.
const fastShutdownMaxMs = 60_000
// An immediate shutdown only ends processes. The next start replays the log.
const immediateShutdownMaxMs = 15_000

export function readPostmaster(serverDir: string): Postmaster | undefined {
  const file = join(serverDir, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  // Lines: process, directory, start time, port, socket directory, address, memory, status.
  const lines = readFileSync(file, 'utf8').split('\n')
  const pid = Number.parseInt(lines[0] ?? '', 10)
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  return { pid, socketDir: lines[4] ?? '', ready: (lines[7] ?? '').trim() === 'ready' }
}

// Afterwards no process works in the directory, and nothing left there prevents a new start. Only
// the holder of the directory's lock may call this.
export async function clearServerDirectory(serverDir: string, log: Log): Promise<void> {
  if (serverProcesses(serverDir).length > 0) {
    log.warn({ directory: serverDir }, 'stopping the database that an earlier start left running')
    await endProcesses(serverDir)
  }
  // Outside Linux we can't see every process, so PostgreSQL must be able to check for children of a
  // dead parent itself. It reads this file for that.
  const parent = readPostmaster(serverDir)?.pid
  const certain = process.platform === 'linux' || (parent !== undefined && isAlive(parent))
  if (certain) rmSync(join(serverDir, 'postmaster.pid'), { force: true })
}

export function serverProcesses(serverDir: string): number[] {
  const directory = realpathSync(serverDir)
  if (process.platform !== 'linux') return namedProcess(directory)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => isServerProcess(name, directory))
    .map((name) => Number.parseInt(name, 10))
}

// The process may have just ended. That is not an error.
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function endProcesses(serverDir: string): Promise<void> {
  const parent = readPostmaster(serverDir)?.pid
  if (parent !== undefined && serverProcesses(serverDir).includes(parent)) {
    signalProcess(parent, 'SIGINT')
    if (await allGone(serverDir, fastShutdownMaxMs)) return
  }
  // The remaining processes lost their parent or don't finish. An immediate end loses nothing that
  // was committed, because the log is on disk.
  for (const pid of serverProcesses(serverDir)) signalProcess(pid, 'SIGQUIT')
  if (await allGone(serverDir, immediateShutdownMaxMs)) return
  throw new StartError(
    `the database processes ${serverProcesses(serverDir).join(', ')} of an earlier start did not ` +
      `end. Kill them by hand, then start again`,
  )
}

async function allGone(serverDir: string, maxMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < maxMs; waitedMs += pollMs) {
    if (serverProcesses(serverDir).length === 0) return true
    await delay(pollMs)
  }
  return serverProcesses(serverDir).length === 0
}

function isServerProcess(pid: string, directory: string): boolean {
  try {
    return (
      readlinkSync(`/proc/${pid}/cwd`) === directory &&
      readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres'
    )
  } catch {
    // The process has ended, or belongs to another user whose processes we can't inspect. We can
    // inspect our own.
    return false
  }
}

function namedProcess(directory: string): number[] {
  const pid = readPostmaster(directory)?.pid
  if (pid === undefined) return []
  const result = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  return result.stdout.includes(directory) ? [pid] : []
}
