import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { checkout } from '../support/processes.ts'

test('the measurements load, and name their rows', { tags: ['long'] }, () => {
  const args = ['--silent', 'run', 'bench', '--ignore-scripts', '--', 'no-such-row']
  const { status, stderr } = spawnSync('npm', args, { cwd: checkout, encoding: 'utf8' })
  expect(stderr).toContain('No such row: no-such-row. Rows: account,')
  expect(status).toBe(2)
})
