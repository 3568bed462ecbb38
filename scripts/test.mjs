// The checks. All of them run, also after one has failed, and the tests come last, so that their
// summary is what one sees.
//
//   npm test              types, lint, and every test that is not tagged as long
//   npm run test:long     the long ones
//   npm run test:all      everything
//   npm test -- PATH      types, lint, and the tests of a file or folder, long ones too
//
// Further arguments go to Vitest.
import { runProgram } from './project.mjs'

const options = process.argv.slice(2)
const isLong = options.includes('--long')
const isAll = options.includes('--all')
const args = options.filter((option) => option !== '--long' && option !== '--all')
const hasPath = args.some((arg) => !arg.startsWith('-'))
const isEveryday = !isLong && !isAll && !hasPath

const filter = isLong ? ['--tagsFilter=long'] : isEveryday ? ['--tagsFilter=!long'] : []
const tests = ['tests (vitest)', 'vitest', ['run', ...filter, ...args]]
// Statements are recorded and explained at the end; see test/support/explain-statements.ts.
if (isLong || isAll) process.env.RECORD_STATEMENTS = '1'
// CI runs the long tests after `npm test`, which has checked the rest.
const others = [
  ['types (tsc)', 'tsc', ['--noEmit']],
  ['types in the browser (tsc)', 'tsc', ['--noEmit', '-p', 'tsconfig.islands.json']],
  ['lint (biome)', 'biome', ['check', '--error-on-warnings']],
]
const checks = isLong ? [tests] : [...others, tests]

const failed = checks.filter(([, program, flags]) => !runProgram(program, flags))
if (failed.length > 0) console.error(`Failed: ${failed.map(([name]) => name).join(', ')}.`)
else if (isEveryday) console.log('`npm run test:all` runs the long tests as well.')
process.exit(failed.length === 0 ? 0 : 1)
