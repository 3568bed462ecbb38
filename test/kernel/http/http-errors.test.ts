import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Fault, faultKinds, invalid } from '../../../src/kernel/basics/fault.ts'
import { createLog } from '../../../src/kernel/basics/log.ts'
import { ConnectionError } from '../../../src/kernel/db/database-errors.ts'
import { errorAnswer } from '../../../src/kernel/http/errors.ts'
import { validated } from '../../../src/kernel/operations/validate.ts'

function answerTo(error: unknown) {
  const lines: string[] = []
  const log = createLog('debug', { write: (line) => lines.push(line) })
  return { ...errorAnswer(error, 'req_1', log), lines }
}

describe('a Fault', () => {
  // The table of the interface.
  // covers: Body: `{error, code, request_id}`
  // covers: `code` is a stable identifier
  it.each([
    // covers: 400 invalid_request: invalid input or a broken business rule
    ['invalid_request', 400, 'invalid_request'],
    ['authentication_failed', 401, 'authentication_failed'],
    ['permission_denied', 403, 'permission_denied'],
    ['not_found', 404, 'not_found'],
    ['conflict', 409, 'conflict'],
    ['payload_too_large', 413, 'payload_too_large'],
    ['rate_limited', 429, 'rate_limited'],
    ['internal_error', 500, 'internal_error'],
    ['not_implemented', 501, 'not_implemented'],
    ['provider_failed', 502, 'internal_error'],
    ['unavailable', 503, 'unavailable'],
    ['service_paused', 503, 'service_paused'],
  ] as const)('of kind %s is answered %i %s', (kind, status, code) => {
    const answer = answerTo(new Fault(kind, 'Text for a person.'))
    expect(answer).toMatchObject({
      status,
      body: { error: 'Text for a person.', code, request_id: 'req_1' },
    })
    expect(answer.lines).toEqual([])
  })

  // covers: `code` is a stable identifier
  it('has every kind in that table', () => {
    expect(Object.keys(faultKinds)).toHaveLength(12)
  })

  it('says when to come back, where that is known', () => {
    const paused = new Fault('service_paused', 'Paused.', { retryAfterSeconds: 90 })
    expect(answerTo(paused).headers).toEqual({ 'retry-after': '90' })
    expect(answerTo(invalid('No.')).headers).toEqual({})
  })

  // covers: Bodies never contain internal detail
  it('does not show its cause', () => {
    const fault = new Fault('provider_failed', 'Failed.', { cause: new Error('hidden') })
    expect(JSON.stringify(answerTo(fault).body)).not.toContain('hidden')
  })
})

describe('everything else', () => {
  // covers: Bodies never contain internal detail
  // covers: 500 internal_error: fault on the service side
  it.each([
    ['an error', new Error('relation "kernel.api_keys" does not exist')],
    ['a text', 'hidden'],
    ['nothing', undefined],
    ['an error of Node', Object.assign(new Error('hidden'), { code: 'ERR_INVALID_ARG_TYPE' })],
    ['an error with its own status', Object.assign(new Error('hidden'), { statusCode: 418 })],
  ])('is a bug, told to the log only: %s', (_, error) => {
    const { status, body, lines } = answerTo(error)
    expect(status).toBe(500)
    expect(body).toEqual({
      error: 'Something went wrong on our side.',
      code: 'internal_error',
      request_id: 'req_1',
    })
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', requestId: 'req_1' })
  })

  it.each(['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECT_TIMEOUT'])(
    'is 503 when the database is unavailable: %s',
    (code) => {
      const { status, headers, body } = answerTo(new ConnectionError('hidden', code))
      expect([status, body.code]).toEqual([503, 'unavailable'])
      expect(headers['retry-after']).toBe('5')
      expect(JSON.stringify(body)).not.toMatch(/database|hidden/)
    },
  )

  it.each(['ECONNREFUSED', 'ENOENT', '57P01'])(
    'does not blame the database for what happened elsewhere: %s',
    (code) => {
      const { status, lines } = answerTo(Object.assign(new Error('hidden'), { code }))
      expect(status).toBe(500)
      expect(lines.join()).not.toContain('database')
    },
  )

  it.each(['FST_ERR_CTP_INVALID_JSON_BODY', 'FST_ERR_CTP_EMPTY_JSON_BODY', 'FST_ERR_NEW'])(
    'is 400 when the framework blames the caller: %s',
    (code) => {
      const refusal = (statusCode: number) =>
        Object.assign(new Error('hidden'), { code, statusCode })
      const { status, body, lines } = answerTo(refusal(415))
      expect([status, body.code, lines]).toEqual([400, 'invalid_request', []])
      expect(answerTo(refusal(500)).status).toBe(500)
    },
  )

  it('is 400, and no one’s fault, when the caller went away', () => {
    const aborted = Object.assign(new Error('aborted'), { code: 'ECONNRESET', statusCode: 400 })
    const { status, lines } = answerTo(aborted)
    expect(status).toBe(400)
    expect(lines).toEqual([])
  })
})

describe('invalid input', () => {
  const schema = z.strictObject({
    name: z.string({ error: 'Must be text.' }),
    lines: z.array(z.strictObject({ quantity: z.int({ error: 'Must be whole.' }) })).default([]),
  })
  function errorsOf(value: unknown) {
    try {
      validated(schema, value)
    } catch (error) {
      if (error instanceof Fault) return error.error
    }
    throw new Error('it is valid')
  }

  // covers: for invalid input it is an object `{formErrors
  it('is reported all at once, under its fields', () => {
    expect(errorsOf({ name: 1, colour: 'red' })).toEqual({
      formErrors: [],
      fieldErrors: { name: ['Must be text.'], colour: ['Unknown field. Accepted: name, lines.'] },
    })
  })

  it('says which line it is in', () => {
    expect(errorsOf({ name: 'A', lines: [{ quantity: 1 }, { quantity: 1.5, x: 1 }] })).toEqual({
      formErrors: [],
      fieldErrors: {
        lines: ['1.quantity: Must be whole.', '1.x: Unknown field. Accepted: quantity.'],
      },
    })
  })

  it('names the fields that there are for the first few unknown ones alone', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`x${index}`, 1]))
    const errors = errorsOf({ name: 'A', ...many })
    const messages = typeof errors === 'string' ? [] : Object.values(errors.fieldErrors).flat()
    expect(messages).toHaveLength(5000)
    expect(messages.filter((message) => message.includes('Accepted'))).toHaveLength(10)
  })

  // covers: for invalid input it is an object `{formErrors
  it('belongs to the form when no field is to blame', () => {
    expect(errorsOf([])).toEqual({ formErrors: [expect.any(String)], fieldErrors: {} })
  })
})
