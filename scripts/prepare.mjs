// Makes a checkout ready to run, before `npm start`, `npm test` and `npm run bench`: installs what
// is missing or outdated, builds what has changed, and looks for the programs that tests or
// measurements need. It says what it does only when there is something to do.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { changeMs, environmentWithoutProject, fail, newestChangeMs, root, run } from './project.mjs'
import { requirePackages } from './system-packages.mjs'

const oldestNode = 20

const forTests = process.argv.includes('--test')
const forBench = process.argv.includes('--bench')

requireNode()
installPackages()
build()
const journalReaders = ['ledger', 'hledger', 'beancount']
const testPackages = ['chromium', 'redis', ...journalReaders, 'poppler', 'unzip', 'postgresql']
if (forTests) requirePackages('The tests need', testPackages)
if (forBench) requirePackages('The measurements need', ['wrk', 'postgresql'])

function requireNode() {
  if (Number.parseInt(process.versions.node, 10) >= oldestNode) return
  fail(`Node ${oldestNode} or newer is needed, and this is ${process.version}.`)
}

// npm writes its own record last, so an installation that was interrupted has none.
function installPackages() {
  const installedMs = changeMs(join(root, 'node_modules', '.package-lock.json'))
  if (installedMs >= changeMs(join(root, 'package-lock.json'))) return
  console.log('Installing packages with `npm ci`; this takes some minutes the first time.')
  // Development packages bring the Node and the compiler of the project, whatever NODE_ENV says.
  const args = ['ci', '--include=dev', '--include=optional', '--loglevel=error']
  if (!run('npm', args, environmentWithoutProject())) {
    fail('`npm ci` failed; the lines above say why. Fix that and try again.')
  }
}

function build() {
  const stamp = join(root, 'dist', '.built')
  const builtAtMs = existsSync(stamp) ? Date.parse(readFileSync(stamp, 'utf8')) : 0
  const sources = [
    'src',
    'tsconfig.json',
    'tsconfig.build.json',
    'tsconfig.islands.json',
    'tsconfig.receiver.json',
    'package-lock.json',
    'scripts/bundle.mjs',
  ]
  const changedMs = Math.max(...sources.map((path) => newestChangeMs(join(root, path))))
  if (changedMs < builtAtMs) return
  console.log('Building.')
  const script = join(root, 'scripts', 'build.mjs')
  const args = forTests ? [script, '--no-check'] : [script]
  if (!run(process.execPath, args, process.env)) process.exit(1)
}
