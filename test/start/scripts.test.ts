// The scripts before `npm start` and `npm test`, on a small separate project with an npm that only
// records its calls.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { checkout, temporaryDirectory } from '../support/processes.ts'

test('a fresh clone is installed and built, and the next start finds nothing to do', () => {
  const project = smallProject()
  const first = project.prepare()
  expect(first).toMatchObject({ status: 0, stderr: '' })
  expect(first.stdout).toMatch(/^Installing packages with `npm ci`.*\nBuilding\.\n$/)
  expect(readFileSync(join(project.path, 'dist', 'main.js'), 'utf8')).toContain('compiled')
  expect(readFileSync(join(project.path, 'dist', 'look.css'), 'utf8')).toBe('body {}')

  expect(project.prepare()).toEqual({ status: 0, stdout: '', stderr: '' })
})

test('npm runs on the machine’s Node, not on the one that it replaces', () => {
  const project = smallProject()
  project.prepare()
  const { args, path, nodeEnv } = project.npmCall()
  expect(args).toBe('ci --include=dev --include=optional --loglevel=error')
  expect(path).not.toContain('node_modules/.bin')
  expect(nodeEnv).toBe('production')
})

test('an installation older than the lock file, or interrupted, is made again', () => {
  const project = smallProject()
  project.prepare()
  touch(join(project.path, 'node_modules', '.package-lock.json'), -60)
  expect(project.prepare().stdout).toContain('Installing')
  rmSync(join(project.path, 'node_modules', '.package-lock.json'))
  expect(project.prepare().stdout).toContain('Installing')
  expect(project.prepare().stdout).not.toContain('Installing')
})

test('a failed installation ends with what npm said', () => {
  const project = smallProject({ npm: 'echo "npm error: the registry is down" >&2; exit 7' })
  const { status, stderr } = project.prepare()
  expect(status).toBe(1)
  expect(stderr).toContain('the registry is down')
  expect(existsSync(join(project.path, 'dist'))).toBe(false)
})

test('a changed or removed source is built again', () => {
  const project = smallProject()
  project.prepare()
  touch(join(project.path, 'src', 'look.css'), 60)
  expect(project.prepare().stdout).toBe('Building.\n')
})

test('a failed build leaves the last good one in place', () => {
  const project = smallProject()
  project.prepare()
  touch(join(project.path, 'src', 'look.css'), 60)
  project.breakCompiler()
  const { status, stderr } = project.prepare()
  expect(status).toBe(1)
  expect(stderr).toContain('The build failed')
  expect(existsSync(join(project.path, 'dist', 'main.js'))).toBe(true)
  const left = readdirSync(project.path).filter((name) => name.startsWith('dist.'))
  expect(left).toEqual([])
})

test('a user who may not install packages is told the one command to run', () => {
  const project = smallProject()
  project.prepare()
  const { status, stdout, stderr } = project.prepare(['--test'], { uid: 1000 })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(
    /^The tests need chromium, redis, ledger.*\. Run: sudo apt-get install .*redis-server.*\n$/,
  )
})

test('root gets the missing packages installed, and is told so', () => {
  const project = smallProject()
  project.prepare()
  const { status, stdout, stderr } = project.prepare(['--bench'], { uid: 0 })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^The measurements need wrk.*: installing with apt-get, once\.\n$/)
  expect(project.prepare(['--bench'], { uid: 1000 })).toMatchObject({ status: 0, stdout: '' })
})

test('the service says which Node it needs', () => {
  const script = readFileSync(join(checkout, 'scripts', 'require-node.mjs'), 'utf8')
  const pretend = "Object.defineProperty(process.versions, 'node', { value: '20.20.2' });"
  const result = spawnSync(process.execPath, ['--input-type=module', '-e', pretend + script], {
    encoding: 'utf8',
  })
  expect(result.status).toBe(1)
  expect(result.stderr).toMatch(/^The service needs Node 24 or newer/)
})

function smallProject({ npm = installing }: { npm?: string } = {}) {
  const path = join(temporaryDirectory(), 'project')
  const commands = join(path, 'commands')
  for (const name of readdirSync(join(checkout, 'scripts'))) {
    mkdirSync(join(path, 'scripts'), { recursive: true })
    copyFileSync(join(checkout, 'scripts', name), join(path, 'scripts', name))
  }
  const files = {
    'package-lock.json': '{}',
    'tsconfig.json': '{}',
    'tsconfig.build.json': '{}',
    'tsconfig.islands.json': '{}',
    'tsconfig.receiver.json': '{}',
  }
  for (const [name, text] of Object.entries({ ...files, 'src/look.css': 'body {}' })) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  mkdirSync(commands)
  writeFileSync(join(commands, 'npm'), `#!/bin/sh\n${npm}\n`, { mode: 0o755 })
  writeFileSync(join(commands, 'apt-get'), aptGet, { mode: 0o755 })
  writeFileSync(join(commands, 'apt-cache'), '#!/bin/sh\necho "Candidate: 1"\n', { mode: 0o755 })
  for (const name of ['sh', 'mkdir', 'touch', 'chmod', 'dirname']) {
    symlinkSync(findCommand(name), join(commands, name))
  }
  return {
    path,
    npmCall: () => JSON.parse(readFileSync(join(path, 'npm-call.json'), 'utf8')),
    breakCompiler: () => writeFileSync(join(path, 'node_modules/.bin/tsc'), '#!/bin/sh\nexit 2\n'),
    prepare(args: string[] = [], { uid = 1000 } = {}) {
      const user = `data:text/javascript,process.getuid=()=>${uid}`
      const command = ['--import', user, 'scripts/prepare.mjs', ...args]
      const result = spawnSync(process.execPath, command, {
        cwd: path,
        encoding: 'utf8',
        env: { PATH: `${path}/node_modules/.bin:${commands}`, NODE_ENV: 'production' },
      })
      return { status: result.status, stdout: result.stdout, stderr: result.stderr }
    },
  }
}

// Installs a compiler that does nothing, and a Node that writes one file where a script is told to.
const installing = `
printf '{"args":"%s","path":"%s","nodeEnv":"%s"}' "$*" "$PATH" "$NODE_ENV" > npm-call.json
mkdir -p node_modules/.bin
printf '#!/bin/sh\\n' > node_modules/.bin/tsc
printf '#!/bin/sh\\nmkdir -p "$2"\\nprintf compiled > "$2/main.js"\\n' > node_modules/.bin/node
chmod +x node_modules/.bin/tsc node_modules/.bin/node
touch node_modules/.package-lock.json`

// Brings a program of the name of each package.
const aptGet = `#!/bin/sh
[ "$1" = update ] && exit 0
for name in "$@"; do
  case "$name" in install|-*|postgresql*) continue;; esac
  printf '#!/bin/sh' > "$(dirname "$0")/$name"
  chmod +x "$(dirname "$0")/$name"
done
`

function touch(path: string, secondsAhead: number): void {
  const time = new Date(Date.now() + secondsAhead * 1000)
  utimesSync(path, time, time)
}

function findCommand(name: string): string {
  return spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim()
}
