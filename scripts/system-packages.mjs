// Programs that are not npm packages: a browser, servers to test against. Root on Debian or Ubuntu
// gets them installed, with a line that says so; everybody else gets the one command to run.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fail } from './project.mjs'

// The oldest PostgreSQL that the service supports; tests run on it beside the embedded one.
const oldestPostgres = 15

const packages = {
  chromium: {
    isPresent: () => ['chromium', 'chromium-browser', 'google-chrome'].some(onPath),
    names: ['chromium'],
  },
  redis: { isPresent: () => onPath('redis-server'), names: ['redis-server'] },
  ledger: { isPresent: () => onPath('ledger'), names: ['ledger'] },
  hledger: { isPresent: () => onPath('hledger'), names: ['hledger'] },
  beancount: { isPresent: () => onPath('bean-check'), names: ['beancount'] },
  poppler: { isPresent: () => onPath('pdftotext'), names: ['poppler-utils'] },
  unzip: { isPresent: () => onPath('unzip'), names: ['unzip'] },
  wrk: { isPresent: () => onPath('wrk'), names: ['wrk'] },
  postgresql: {
    isPresent: hasPostgres,
    // Releases of Debian and Ubuntu carry one version each; theirs does where 15 is not.
    names: [`postgresql-${oldestPostgres}`, 'postgresql'],
  },
}

export function requirePackages(who, wanted) {
  const missing = wanted.filter((name) => !packages[name].isPresent())
  if (missing.length === 0) return
  if (!onPath('apt-get')) {
    fail(`${who} ${missing.join(', ')}: install them with this system's packages, then try again.`)
  }
  if (process.getuid() === 0) {
    console.log(`${who} ${missing.join(', ')}: installing with apt-get, once.`)
    install('update')
  }
  const names = missing.map((name) => packages[name].names.find(isAvailable) ?? name)
  const command = `apt-get install -y --no-install-recommends ${names.join(' ')}`
  if (process.getuid() !== 0) fail(`${who} ${missing.join(', ')}. Run: sudo ${command}`)
  install('install', '-y', '--no-install-recommends', ...names)
  const absent = missing.filter((name) => !packages[name].isPresent())
  if (absent.length > 0) fail(`${who} ${absent.join(', ')}, and ${command} did not bring them.`)
}

function install(...args) {
  const result = spawnSync('apt-get', args, {
    encoding: 'utf8',
    // At run level 1 packages do not start the services they bring; we start our own.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  })
  if (result.status === 0) return
  fail(`apt-get ${args.join(' ')} failed:\n${result.stdout}${result.stderr}`)
}

function isAvailable(name) {
  const result = spawnSync('apt-cache', ['policy', name], { encoding: 'utf8' })
  return /Candidate: \d/.test(result.stdout ?? '')
}

function onPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

function hasPostgres() {
  const home = '/usr/lib/postgresql'
  if (!existsSync(home)) return false
  return readdirSync(home).some(
    (version) =>
      Number.parseInt(version, 10) >= oldestPostgres &&
      existsSync(join(home, version, 'bin', 'initdb')),
  )
}
