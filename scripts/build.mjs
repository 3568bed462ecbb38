// Compiles `src` to `dist`, and copies what is not TypeScript. The result is made beside its place
// and then moved there, so that no start ever finds half of it. Types are checked on the way,
// except with --no-check, for `npm test`, which checks them by itself and goes on when they fail.
import { cpSync, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail, root, runProgram } from './project.mjs'

const unfinished = join(root, `dist.unfinished-${process.pid}`)
const finished = join(root, 'dist')
process.on('exit', () => rmSync(unfinished, { recursive: true, force: true }))

// Taken before the compiler reads the sources: what changes meanwhile counts as not built.
const startedAt = new Date()
const args = ['--outDir', unfinished]
if (process.argv.includes('--no-check')) args.push('--noCheck')
if (!existsSync(join(root, 'node_modules', '.bin', 'tsc'))) {
  fail('The compiler is not installed. Run `npm ci` first, development packages included.')
}
// The second pass adds the types of what receivers of webhooks install.
for (const project of ['tsconfig.build.json', 'tsconfig.receiver.json']) {
  if (!runProgram('tsc', ['-p', project, ...args])) {
    fail('The build failed; the lines above say why.')
  }
}

cpSync(join(root, 'src'), unfinished, {
  recursive: true,
  filter: (path) => statSync(path).isDirectory() || !/\.tsx?$/.test(path),
})
writeFileSync(join(unfinished, '.built'), startedAt.toISOString())
rmSync(finished, { recursive: true, force: true })
renameSync(unfinished, finished)
