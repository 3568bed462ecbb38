// What the scripts share. They run before anything is installed, on whatever Node the machine has
// (20 or newer), so they use nothing but Node itself.
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

const binaries = join(root, 'node_modules', '.bin')

// npm puts node_modules/.bin first, where the project's own Node is. Programs of the project run
// with it, and npm itself without it, or it would run on the Node that it is replacing.
export function environmentWithProject() {
  return { ...process.env, PATH: [binaries, pathWithoutProject()].join(delimiter) }
}

export function environmentWithoutProject() {
  return { ...process.env, PATH: pathWithoutProject() }
}

function pathWithoutProject() {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((directory) => !directory.endsWith(join('node_modules', '.bin')))
    .join(delimiter)
}

// Runs a program of the project and answers whether it succeeded. A program that a signal ended
// ends us with it: the person pressed Ctrl-C.
export function runProgram(name, args) {
  return run(join(binaries, name), args, environmentWithProject())
}

export function run(command, args, env) {
  const result = spawnSync(command, args, { cwd: root, env, stdio: 'inherit' })
  if (result.error) console.error(`${command} could not be started: ${result.error.message}`)
  if (result.signal) process.exit(130)
  return result.status === 0
}

export function fail(message) {
  console.error(message)
  process.exit(1)
}

// When anything below was last changed. A directory counts too: a file that was removed or renamed
// leaves its mark there.
export function newestChangeMs(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  const entries = readdirSync(path).map((entry) => newestChangeMs(join(path, entry)))
  return Math.max(stat.mtimeMs, ...entries)
}

export function changeMs(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
