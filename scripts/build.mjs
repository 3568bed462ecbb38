// Builds `dist`: the service and the commands in a few files (bundle.mjs), and what receivers of
// webhooks install, file by file with its types. The result is made beside its place and then moved
// there, so that no start ever finds half of it. Types are checked on the way, except with
// --no-check, for `npm test`, which checks them by itself and goes on when they fail.
import { cpSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fail, root, runProgram } from './project.mjs'

const unfinished = join(root, `dist.unfinished-${process.pid}`)
const finished = join(root, 'dist')
process.on('exit', () => rmSync(unfinished, { recursive: true, force: true }))

// Taken before the compiler reads the sources: what changes meanwhile counts as not built.
const startedAt = new Date()
const isChecked = !process.argv.includes('--no-check')
if (!existsSync(join(root, 'node_modules', '.bin', 'tsc'))) {
  fail('The compiler is not installed. Run `npm ci` first, development packages included.')
}
const receiver = ['-p', 'tsconfig.receiver.json', '--outDir', unfinished]
const isBuilt =
  (!isChecked || runProgram('tsc', ['-p', 'tsconfig.build.json'])) &&
  (!isChecked || runProgram('tsc', ['-p', 'tsconfig.islands.json'])) &&
  runProgram('tsc', isChecked ? receiver : [...receiver, '--noCheck']) &&
  runProgram('node', [join('scripts', 'bundle.mjs'), unfinished])
if (!isBuilt) fail('The build failed; the lines above say why.')

for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
  const path = join(relative(join(root, 'src'), entry.parentPath), entry.name)
  if (entry.isFile() && !/\.tsx?$/.test(path)) {
    cpSync(join(root, 'src', path), join(unfinished, path))
  }
}
writeFileSync(join(unfinished, '.built'), startedAt.toISOString())
rmSync(finished, { recursive: true, force: true })
renameSync(unfinished, finished)
