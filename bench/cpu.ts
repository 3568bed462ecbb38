// Processor time of processes, which a busy machine affects less than elapsed time. Only Linux
// reports it; elsewhere the figures are missing.
import { readdirSync, readFileSync } from 'node:fs'

// All threads of one process, in nanoseconds.
export function cpuMs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.reduce((sum, thread) => sum + threadNs(pid, thread), 0) / 1e6
  } catch {
    return Number.NaN
  }
}

function threadNs(pid: number, thread: string): number {
  return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
}

// A process with its children, including those that have ended, to a hundredth of a second.
export function familyCpuMs(pid: number): number {
  try {
    const own = times(String(pid))
    const alive = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    const children = alive.map(times).filter(({ parent }) => parent === pid)
    return children.reduce((sum, { ownMs }) => sum + ownMs, own.ownMs + own.endedMs)
  } catch {
    return Number.NaN
  }
}

function times(pid: string): { parent: number; ownMs: number; endedMs: number } {
  let stat = ''
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    // It has ended since it was listed.
  }
  // The name before the bracket can contain anything.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [parent = 0] = fields.slice(1)
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11)
  return { parent, ownMs: 10 * (user + system), endedMs: 10 * (endedUser + endedSystem) }
}
