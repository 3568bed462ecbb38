import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { serverProcesses } from '../../src/kernel/db/embedded-processes.ts'
import {
  checkout,
  dataDirectory,
  preparedDataDirectory,
  startService,
  temporaryDirectory,
} from '../support/processes.ts'
import { handOut } from '../support/run-log.ts'

test('a start on an empty directory makes a database, answers, and ends cleanly', async () => {
  const dataDir = dataDirectory()
  const service = await startService({ env: { DATA_DIR: dataDir } })
  await service.ready()

  await service.probed(200)
  expect(openToOthers(dataDir)).toEqual([])

  service.kill('SIGTERM')
  expect(await service.ended).toBe(0)
  expect(service.stderr()).toBe('')
  expect(serverProcesses(join(dataDir, 'postgres'))).toEqual([])
  const log = readFileSync(join(dataDir, 'postgres.log'), 'utf8')
  expect(log.trim()).toMatch(/database system is shut down$/)
})

test('the first start prints requests that work when pasted; later starts do not', {
  tags: ['long'],
}, async () => {
  const dataDir = dataDirectory()
  const first = await startService({ env: { DATA_DIR: dataDir } })
  await first.until('Try it:')
  await first.until('/books/api/v1/accounts\n')
  const commands = [...first.stdout().matchAll(/curl -H '(?<name>\S+): (?<value>.+)' (?<url>\S+)/g)]
  expect(commands.length).toBeGreaterThanOrEqual(2)
  for (const { groups } of commands) {
    const headers = { [groups?.name ?? '']: groups?.value ?? '' }
    const response = await fetch(groups?.url ?? '', { headers })
    expect(response.status).toBe(200)
  }
  const [link = ''] = first.stdout().match(/http:\S+\/sign-in\/demo\?code=\S+/) ?? []
  expect(await (await fetch(link)).text()).toContain('Sign in as the demo’s owner')
  const [sandboxKey] = first.stdout().match(/acct_test_\S+/) ?? []
  const sandbox = await fetch(`${first.url}/books/api/v1/contacts`, {
    headers: { authorization: `Bearer ${sandboxKey}` },
  })
  expect(sandbox.status).toBe(200)
  first.kill('SIGTERM')
  await first.ended

  const second = await startService({ env: { DATA_DIR: dataDir } })
  await second.until('Tillbook is running')
  await second.until('/sign-in/demo?code=')
  second.kill('SIGTERM')
  expect(await second.ended).toBe(0)
  expect(second.stdout()).not.toContain('curl')
})

test('a command beside the service finds it, whatever its port', { tags: ['long'] }, async () => {
  const dataDir = await preparedDataDirectory()
  const service = await startService({ env: { DATA_DIR: dataDir, DEMO: 'off' } })
  await service.ready()
  const command = [join(checkout, 'dist/cli/main.js'), 'demo', '--json']
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir }
  const { stdout } = await promisify(execFile)(process.execPath, command, { env })
  const demo = JSON.parse(stdout)
  const response = await fetch(`${demo.merchant.base_url}/account`, {
    headers: { authorization: `Bearer ${demo.merchant.live_key}` },
  })
  expect(demo.merchant.base_url).toContain(service.url)
  expect(response.status).toBe(200)

  service.kill('SIGTERM')
  await service.ended
  const refused = promisify(execFile)(process.execPath, command, { env })
  await expect(refused).rejects.toThrow('no service is running on DATA_DIR')
})

test('DEMO=off leaves a fresh database empty, to be set up with a code', {
  tags: ['long'],
}, async () => {
  const dataDir = await preparedDataDirectory()
  const service = await startService({ env: { DATA_DIR: dataDir, DEMO: 'off' } })
  await service.until('Tillbook is running')
  const front = await fetch(`${service.url}/`, { redirect: 'manual' })
  expect(front.headers.get('location')).toBe('/set-up')
  const file = join(dataDir, 'setup-code')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const code = readFileSync(file, 'utf8').trim()
  handOut(code)
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir }
  const command = [join(checkout, 'dist/cli/main.js'), 'setup-code', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, command, { env })
  expect(JSON.parse(stdout)).toEqual({ code, url: `${service.url}/set-up` })
  service.kill('SIGTERM')
  expect(await service.ended).toBe(0)
  expect(service.stdout()).not.toContain('curl')
  expect(service.stdout()).toContain(file)
  expect(service.stdout()).not.toContain(code)
})

test('a directory whose path is too long for a socket, and has odd characters, works', {
  tags: ['long'],
}, async () => {
  const parent = join(temporaryDirectory(), 'a "quoted", spaced directory '.repeat(5))
  mkdirSync(parent, { mode: 0o700 })
  const dataDir = dataDirectory(parent)
  const service = await startService({ env: { DATA_DIR: dataDir, DEMO: 'off' } })
  await service.ready()
  await service.probed(200)
  service.kill('SIGTERM')
  expect(await service.ended).toBe(0)
})

test('a second start follows the first without waiting or repairing', {
  tags: ['long'],
}, async () => {
  const dataDir = await preparedDataDirectory()
  for (const _ of [1, 2]) {
    const service = await startService({ env: { DATA_DIR: dataDir, DEMO: 'off' } })
    await service.ready()
    service.kill('SIGINT')
    expect(await service.ended).toBe(0)
  }
  const log = readFileSync(join(dataDir, 'postgres.log'), 'utf8')
  expect(log).not.toContain('was not properly shut down')
})

function openToOthers(dataDir: string): string[] {
  const kept = ['.', 'secrets.key', 'postgres', 'socket', 'postgres.log', 'lock']
  return kept.filter((name) => (statSync(join(dataDir, name)).mode & 0o077) !== 0)
}
