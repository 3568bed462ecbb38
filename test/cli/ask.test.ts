// Passwords and codes that a command asks for.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const ask = (input: string) =>
  spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { askSecrets } from './src/cli/core/ask.ts'
       process.stdout.write(JSON.stringify(await askSecrets(['Password', 'Code'])))`,
    ],
    { cwd: resolve(import.meta.dirname, '../..'), input, encoding: 'utf8' },
  )

it('reads secrets from standard input, one a line, when it is no terminal', () => {
  const { stdout, stderr } = ask('pass word\n123456\n')
  expect(JSON.parse(stdout)).toEqual(['pass word', '123456'])
  expect(stderr).not.toContain('pass word')
})

it('refuses when a secret is missing', () => {
  const { status, stderr } = ask('only one\n')
  expect(status).not.toBe(0)
  expect(stderr).toContain('no answer to "Code"')
})
