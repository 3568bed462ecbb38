// Finds and ends what an earlier, killed service left running in a server directory. Every
// PostgreSQL process works in its data directory, so on Linux the working directory tells for
// certain whose process it is; the number in `postmaster.pid` alone does not, since after a crash
// of the machine it may belong to any other program (and PostgreSQL would then refuse to start).
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../basics/log.ts'
import { StartError } from '../basics/start-error.ts'

export type Postmaster = { pid: number; socketDir: string; ready: boolean }

const pollMs = 50
// A fast shutdown writes a checkpoint, which a slow disk may take a while over.
const fastShutdownMaxMs = 60_000
// An immediate one only ends processes; the next start replays the log.
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

// After this no process works in the directory, and no remains can stop a new one from starting.
// Only the holder of the data directory's lock may call it.
export async function clearServerDirectory(serverDir: string, log: Log): Promise<void> {
  if (serverProcesses(serverDir).length > 0) {
    log.warn({ directory: serverDir }, 'an earlier start left its database running; stopping it')
    await endProcesses(serverDir)
  }
  // Elsewhere than on Linux we have not seen every process, so PostgreSQL's own check of a dead
  // parent's children must stay possible; it reads this file.
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

// Signals may reach a process that has just ended; that is what was wanted.
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
  // What is left has lost its parent, or does not finish: an immediate end loses nothing that was
  // committed, since the log is on disk.
  for (const pid of serverProcesses(serverDir)) signalProcess(pid, 'SIGQUIT')
  if (await allGone(serverDir, immediateShutdownMaxMs)) return
  throw new StartError(
    `the database processes ${serverProcesses(serverDir).join(', ')} of an earlier start do not ` +
      `end; end them by hand, then start again`,
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
    // It ended meanwhile, or belongs to a user whose processes we may not look into; ours we may.
    return false
  }
}

function namedProcess(directory: string): number[] {
  const pid = readPostmaster(directory)?.pid
  if (pid === undefined) return []
  const result = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  return result.stdout.includes(directory) ? [pid] : []
}
