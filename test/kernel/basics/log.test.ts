import { describe, expect, it } from 'vitest'
import { createLog, whileServing } from '../../../src/kernel/basics/log.ts'
import { databaseForThisTest } from '../../support/database.ts'

function recordingLog() {
  const lines: string[] = []
  const log = createLog('debug', { write: (line) => lines.push(line) })
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') }
}

it('writes one JSON object a line, with level, time and text', () => {
  const { log, lines, last } = recordingLog()
  log.info({ requestId: 'req_1' }, 'two\nlines')
  expect(lines).toHaveLength(1)
  expect(lines[0]?.match(/\n/g)).toHaveLength(1)
  expect(last()).toMatchObject({ level: 'info', requestId: 'req_1', msg: 'two\nlines' })
  expect(Date.parse(last().time)).not.toBeNaN()
})

it('leaves nothing behind in the process when it is silent', () => {
  const before = process.listenerCount('exit')
  for (let made = 0; made < 20; made += 1) createLog('silent').error('text')
  expect(process.listenerCount('exit')).toBe(before)
})

it('names the request that is served, for all writers and even late', async () => {
  const { log, last } = recordingLog()
  await whileServing('req_2', async () => {
    await new Promise((resolve) => setImmediate(resolve))
    log.warn({ path: '/a' }, 'text')
  })
  expect(last()).toMatchObject({ requestId: 'req_2', path: '/a' })
  log.info('afterwards')
  expect(last()).not.toHaveProperty('requestId')
})

it.each(['authorization', 'cookie', 'password', 'secret', 'token', 'key', 'accountNumber'])(
  'writes no field called %s, also when it is nested',
  (name) => {
    const { log, lines } = recordingLog()
    log.info({ [name]: 'hidden', one: { [name]: 'hidden', two: { [name]: 'hidden' } } }, 'text')
    expect(lines.join('')).not.toContain('hidden')
  },
)

describe('an error', () => {
  it('is written with its type, message, code, stack and causes', () => {
    const { log, last } = recordingLog()
    const cause = Object.assign(new TypeError('the cause'), { code: 'E_CAUSE' })
    log.error({ err: new Error('the failure', { cause }) }, 'failed')
    expect(last().err).toMatchObject({
      type: 'Error',
      message: 'the failure',
      stack: expect.stringContaining('log.test.ts'),
      cause: { type: 'TypeError', message: 'the cause', code: 'E_CAUSE' },
    })
  })

  it('is written without what else it carries', () => {
    const { log, lines } = recordingLog()
    const error = Object.assign(new Error('failed'), { body: 'hidden', request: { a: 'hidden' } })
    log.error({ err: error }, 'failed')
    expect(lines.join('')).not.toContain('hidden')
  })

  it('may be its own cause', () => {
    const { log, lines } = recordingLog()
    const error = new Error('failed')
    error.cause = error
    log.error({ err: error }, 'failed')
    expect(lines).toHaveLength(1)
  })

  it('may be something that is no error', () => {
    const { log, last } = recordingLog()
    log.error({ err: 'hidden' }, 'failed')
    expect(last().err).toEqual({ type: 'string' })
  })

  it('of PostgreSQL names table and constraint, and no value of the row', async () => {
    const { sql } = await databaseForThisTest()
    const { log, lines, last } = recordingLog()
    const id = '01890000-0000-7000-8000-000000000000'
    const insert = () =>
      sql`insert into kernel.businesses values (${id}, 'hidden', true, '2026-01-01')`
    await insert()
    log.error({ err: await insert().catch((error: unknown) => error) }, 'failed')
    expect(last().err).toMatchObject({
      type: 'PostgresError',
      code: '23505',
      schema_name: 'kernel',
      table_name: 'businesses',
      constraint_name: 'businesses_pkey',
    })
    expect(lines.join('')).not.toContain(id)
  })

  it('of PostgreSQL does not repeat a value that could not be read', async () => {
    const { sql } = await databaseForThisTest()
    const { log, lines, last } = recordingLog()
    for (const value of ['hidden', 'a"hidden', '"hidden"hidden"', 'a"\nhidden', 'hidden$&"']) {
      const failure = await sql`select ${value}::text::uuid`.catch((error: unknown) => error)
      log.error({ err: failure }, 'failed')
      expect(last().err).toMatchObject({
        code: '22P02',
        message: 'invalid input syntax for type uuid: "…"',
        stack: expect.stringContaining('log.test.ts'),
      })
    }
    expect(lines.join('')).not.toContain('hidden')
  })
})
