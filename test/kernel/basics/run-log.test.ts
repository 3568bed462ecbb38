// The search of all logs at the end of a run finds secrets.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findLeaks, handOutPrinted, keepLogLines, runLogVariable } from '../../support/run-log.ts'
import { createWorld } from '../../support/world.ts'

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'tillbook-run-log-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

function elsewhere(): string {
  const path = directory()
  const before = process.env[runLogVariable]
  process.env[runLogVariable] = path
  onTestFinished(() => {
    if (before === undefined) delete process.env[runLogVariable]
    else process.env[runLogVariable] = before
  })
  return path
}

it.each([
  ['a word', 'K4hrT0kzQw9x', '{"msg":"token=K4hrT0kzQw9x"}'],
  ['a word inside a name', '0690000031', '{"msg":"account-0690000031"}'],
  ['a phrase', 'correct horse battery', '{"msg":"tried correct horse battery"}'],
  ['a key that no one wrote down', 'other-secret', `{"msg":"svc_live_${'a'.repeat(71)}"}`],
])('finds %s', (_, secret, line) => {
  const path = directory()
  writeFileSync(join(path, 'secret-1'), `${JSON.stringify(secret)}\n`)
  writeFileSync(join(path, 'log-2'), `{"msg":"harmless"}\n${line}\n`)
  expect(findLeaks(path)).toHaveLength(1)
  writeFileSync(join(path, 'log-2'), '{"msg":"harmless"}\n')
  expect(findLeaks(path)).toEqual([])
})

it('sees what a world logs, and every key that it issues', async () => {
  const path = elsewhere()
  const world = await createWorld()
  onTestFinished(() => world.close())
  const { text } = await world.key({ service: 'books' })
  expect((await world.call('GET', '/books/api/v1/accounts', { key: text })).status).toBe(200)
  expect(readdirSync(path).sort()).toEqual([`log-${process.pid}`, `secret-${process.pid}`])
  expect(findLeaks(path)).toEqual([])
  world.context.log.warn({ err: new Error(`the key ${text} failed`) }, 'a careless line')
  expect(findLeaks(path)).toHaveLength(1)
})

it('sees what a process logs, but not what it prints for people', () => {
  const path = elsewhere()
  handOutPrinted('    password     abcdefghijklmnop\n    TOTP secret  ABCDEFGHIJKLMNOPQRSTUVWX\n')
  keepLogLines('    password     abcdefghijklmnop\n{"level":"info","msg":"ready"}\n')
  expect(findLeaks(path)).toEqual([])
  keepLogLines('{"level":"info","msg":"abcdefghijklmnop"}\n')
  keepLogLines('{"level":"info","msg":"ABCDEFGHIJKLMNOPQRSTUVWX"}\n')
  expect(findLeaks(path)).toHaveLength(2)
})
