// Every check: types, lint, tests. All of them run, also after one has failed, and the tests come
// last, so that their summary is what one sees. Arguments go to Vitest: `npm test -- test/kernel`.
import { runProgram } from './project.mjs'

const passed = [
  runProgram('tsc', ['--noEmit']),
  runProgram('biome', ['check', '--error-on-warnings']),
  runProgram('vitest', ['run', ...process.argv.slice(2)]),
]

const names = ['types (tsc)', 'lint (biome)', 'tests (vitest)']
const failed = names.filter((_, index) => !passed[index])
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}.`)
process.exit(failed.length === 0 ? 0 : 1)
