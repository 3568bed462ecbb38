// An unknown path or method gets 404 before the body is read: the body can't change that.
import { describe, expect, it } from 'vitest'
import { exchange, send } from '../support/raw-http.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

const unknown = [
  ['POST', '/nope', 'No such path.'],
  ['PUT', '/nope', 'No such path.'],
  ['POST', '/healthz', 'This path takes GET, not POST.'],
  ['DELETE', '/readyz', 'This path takes GET, not DELETE.'],
  ['POST', '/', 'This path takes GET, not POST.'],
  ['PATCH', '/sign-in', 'This path takes GET and POST, not PATCH.'],
  ['POST', '/merchant/api/v1/nope', 'No such path.'],
  ['POST', '/merchant/api/v1/reference', 'This path takes GET, not POST.'],
  ['PUT', '/merchant/api/v1/payments/1?a=b', 'This path takes GET, not PUT.'],
  ['PUT', '/books/api/v1/contacts', 'This path takes GET and POST, not PUT.'],
] as const

const json = ['content-type', 'application/json'] as const
const bodies = [
  ['no body at all', [], undefined],
  ['an empty body', [json], ''],
  ['a broken body', [json], '{'],
  ['a body with a poisoned name', [json], '{"__proto__":{"a":1}}'],
  ['a good body', [json], '{}'],
  ['a body above the limit', [json], ' '.repeat(300_000)],
  ['a body of no media type', [], 'hello'],
  ['a body of an odd media type', [['content-type', 'application/x-odd']], 'hello'],
  ['a body of a nonsense media type', [['content-type', ';;']], 'hello'],
  ['a form', [['content-type', 'application/x-www-form-urlencoded']], 'a=1&b=%zz'],
] as const

describe.each(unknown)('%s %s', (method, path, message) => {
  // covers: 404 not_found: no such object for the business
  it.each(bodies)('is answered 404 with %s', async (_, headers, body) => {
    const answer = await send(world().baseUrl, { method, path, headers, body })
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual({
      error: message,
      code: 'not_found',
      request_id: answer.headers.get('x-request-id'),
    })
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('is answered while the body is still on its way', async () => {
    const head = [`${method} ${path} HTTP/1.1`, 'Host: a', 'Content-Length: 1000', '', '{']
    const { answers } = await exchange(world().baseUrl, head.join('\r\n'))
    expect(answers.map(({ status }) => status)).toEqual([404])
  })
})

describe('an unknown path under an API', () => {
  const limited = useWorld({ settings: { rateLimitPerAddress: 2 } })

  it('counts against the limit of its caller’s address', async () => {
    const ask = async () => (await limited().call('POST', '/books/api/v1/nope')).status
    expect([await ask(), await ask(), await ask()]).toEqual([404, 404, 429])
  })
})

it('has called none of it its own fault', () => {
  const errors = world().logLines.filter((line) => line.includes('"level":"error"'))
  expect(errors).toEqual([])
})
