// A failpoint kills its process, so each runs in a separate one.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const steps = `
  failpoint('charge.reserved')
  failpoint('charge.sent')
  failpoint('charge.reserved')
  process.stdout.write('alive')`

function run(setting: string, program = steps) {
  const { signal, stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { writeFileSync } from 'node:fs'
       import { createFailpoint, parseFailpoint } from './src/kernel/basics/failpoint.ts'
       const failpoint = createFailpoint(parseFailpoint(process.argv[1]))
       ${program}`,
      setting,
    ],
    { cwd: resolve(import.meta.dirname, '../../..'), encoding: 'utf8' },
  )
  return { signal, stdout, stderr }
}

test('without a setting nothing happens', () => {
  expect(run('')).toEqual({ signal: null, stdout: 'alive', stderr: '' })
})

test('the process dies where it was told to, and says so first', () => {
  const told = 'failpoint charge.sent\n'
  expect(run('charge.sent')).toEqual({ signal: 'SIGKILL', stdout: '', stderr: told })
})

test('the process dies at the second time, if told so, and at no third that never comes', () => {
  const told = 'failpoint charge.reserved\n'
  expect(run('charge.reserved:2')).toEqual({ signal: 'SIGKILL', stdout: '', stderr: told })
  expect(run('charge.reserved:3')).toEqual({ signal: null, stdout: 'alive', stderr: '' })
})

test('a trace tells of every place and kills nothing', () => {
  const told = ['charge.reserved', 'charge.sent', 'charge.reserved']
  expect(run('trace')).toEqual({
    signal: null,
    stdout: 'alive',
    stderr: told.map((name) => `failpoint ${name}\n`).join(''),
  })
})

test('a file arms a process that runs already, and counts from then on', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tillbook-failpoint-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const file = join(directory, 'armed')
  const program = `
    const arm = (text) => writeFileSync(${JSON.stringify(file)}, text)
    arm('')
    failpoint('charge.reserved')
    arm('charge.reserved:2')
    failpoint('charge.reserved')
    process.stdout.write('alive')
    failpoint('charge.reserved')
    process.stdout.write(' and well')`
  const told = 'failpoint charge.reserved\n'
  expect(run(`@${file}`, program)).toEqual({ signal: 'SIGKILL', stdout: 'alive', stderr: told })
})
