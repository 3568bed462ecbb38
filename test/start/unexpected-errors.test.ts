// An uncaught error, in a process that can really end.
import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import { checkout } from '../support/processes.ts'

// Runs `trouble` under the handlers of the service. It lives until something ends it, and ends by
// itself with status 7 once it has outlived the trouble, which has its turn first.
function ended(trouble: string): Promise<{ status: number; lines: Record<string, unknown>[] }> {
  const program = `
    import { createLog } from './src/kernel/basics/log.ts'
    import { stopOnSignals } from './src/start/lifecycle.ts'
    const abandon = () => process.stdout.write('{"msg":"abandoned"}\\n')
    stopOnSignals(createLog('info'), [{ close() {}, abandon }])
    ${trouble}
    setImmediate(() => setTimeout(() => process.exit(7), 200))`
  const args = ['--input-type=module', '--eval', program]
  return new Promise((settle) => {
    execFile(process.execPath, args, { cwd: checkout }, (error, stdout) => {
      const lines = stdout.trim().split('\n').filter(Boolean)
      settle({ status: Number(error?.code ?? 0), lines: lines.map((line) => JSON.parse(line)) })
    })
  })
}

test.each([
  ['a rejection', `Promise.reject(new Error('a bug of ours'))`],
  ['an error', `setImmediate(() => { throw new Error('a bug of ours') })`],
])('%s that nothing caught is told, and ends the process', async (_, trouble) => {
  const { status, lines } = await ended(trouble)
  expect(status).toBe(1)
  expect(lines).toHaveLength(2)
  expect(lines.find(({ msg }) => msg !== 'abandoned')).toMatchObject({
    level: 'error',
    msg: 'uncaught error; exiting',
    err: { message: 'a bug of ours', stack: expect.stringContaining('Error: a bug of ours') },
  })
  expect(lines).toContainEqual({ msg: 'abandoned' })
})
