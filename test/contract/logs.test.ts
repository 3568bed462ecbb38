// More people read the log than the database. No request, valid or not, may put a secret, personal
// data or a bank account into it.
import { beforeAll, expect, it } from 'vitest'
import { access } from '../../src/app/access.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import { operations } from '../support/openapi.ts'
import { exchange } from '../support/raw-http.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const contacts = '/books/api/v1/contacts'
const secrets: string[] = []
const keyIds: string[] = []
let requestIds: string[] = []

// Each call adds what it must not leave behind.
beforeAll(async () => {
  const answers: (string | null)[] = []
  const call = async (method: string, path: string, options = {}) => {
    answers.push((await world().call(method, path, options)).headers.get('x-request-id'))
  }
  const books = await world().key({ service: 'books' })
  const merchant = await world().key({ service: 'merchant' })
  for (const { text, id } of [books, merchant]) {
    secrets.push(text, text.slice(-49, -6), text.slice(-20))
    keyIds.push(id)
  }
  for (const { service, method, path } of operations) {
    const key = service.name === 'books' ? books.text : merchant.text
    await call(method, service.basePath + path, { key })
    await call(method, service.basePath + path)
  }

  const body = {
    name: 'Name-only-in-the-body',
    email: 'private-address@example.com',
    phone: '+2348031112233',
    tax_number: '0690000041',
  }
  secrets.push(...Object.values(body), 'idempotency-only-in-a-header')
  const headers = { 'idempotency-key': 'idempotency-only-in-a-header' }
  await call('POST', contacts, { key: books.text, body, headers })
  await call('POST', contacts, { key: books.text, body: { ...body, name: '' }, headers })
  await call('POST', contacts, { key: books.text, body: { [body.tax_number]: body }, headers })
  await call('POST', contacts, { key: books.text, rawBody: `{"name":"${body.tax_number}` })
  secrets.push('only-in-the-query', 'only-in-the-path', 'only-in-a-cookie')
  await call('GET', `${contacts}?type=only-in-the-query&token=only-in-the-query`, {
    key: books.text,
  })
  await call('GET', '/books/api/v1/only-in-the-path')
  await call('GET', contacts, { headers: { cookie: 'session=only-in-a-cookie' } })

  // Keys in the wrong place, or nearly right.
  const mistyped = `${books.text.slice(0, -1)}-`
  secrets.push(mistyped, Buffer.from(`${books.text}:`).toString('base64'))
  await call('GET', contacts, { key: mistyped })
  await call('GET', contacts, { key: merchant.text })
  await call('GET', `${contacts}?key=${books.text}`)
  await call('GET', `${contacts}/${books.text}`)
  await call('GET', contacts, { headers: { authorization: `Basic ${secrets.at(-1)}` } })
  await call('GET', contacts, { headers: { authorization: books.text } })
  await exchange(world().baseUrl, `GET / HTTP/1.1\r\nAuthorization Bearer ${books.text}\r\n\r\n`)

  // Our own fault: the error, its query and its parameters are what a log is tempted to keep.
  const { sql } = world().database
  await sql`alter table books.contacts add constraint broken check (name <> 'broken') not valid`
  await call('POST', contacts, { key: books.text, body: { ...body, name: 'broken' } })
  await sql`alter table books.contacts drop constraint broken`

  const { businessId, id } = books
  const actor = { kind: 'system', name: 'test', businessId, environment: 'live' } as const
  const rotation = { id, overlapSeconds: 60 }
  const rotated = await runOperation(access.rotateApiKey, world().context, actor, rotation)
  secrets.push(rotated.text)
  await call('GET', contacts, { key: rotated.text })
  requestIds = answers.filter((id) => id !== null)
  expect(requestIds).toHaveLength(answers.length)
})

it('has lines of JSON only, one event each', () => {
  expect(world().logLines.length).toBeGreaterThanOrEqual(requestIds.length)
  for (const line of world().logLines) {
    expect(line.endsWith('\n')).toBe(true)
    expect(line.slice(0, -1)).not.toContain('\n')
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), time: expect.any(String) })
  }
})

// covers: Every response carries an `X-Request-Id` header
it('has one line for every request, under the id that its caller was told', () => {
  const lines = world().logLines.map((line) => JSON.parse(line))
  const requests = lines.filter(({ msg }) => msg === 'request')
  const logged = requests.map(({ requestId }) => requestId)
  expect(new Set(logged).size).toBe(logged.length)
  expect(logged).toEqual(expect.arrayContaining(requestIds))
  for (const line of lines) expect(line.requestId).toMatch(/^req_/)
})

it('names the key by its id', () => {
  const text = world().logLines.join('')
  for (const id of keyIds) expect(text).toContain(id)
})

it('has only the fields that were allowed for a request', () => {
  const allowed = ['level', 'time', 'requestId', 'method', 'route', 'status', 'ms', 'keyId', 'msg']
  for (const line of world().logLines.map((text) => JSON.parse(text))) {
    if (line.msg !== 'request') continue
    expect(Object.keys(line).filter((field) => !allowed.includes(field))).toEqual([])
  }
})

it('reports our own bug', () => {
  const faults = world().logLines.filter((line) => line.includes('"level":"error"'))
  expect(faults).toHaveLength(1)
  expect(faults[0]).toContain('the request failed')
})

it('has no secret, no body, no query and no header', () => {
  expect(secrets.length).toBeGreaterThan(15)
  const text = world().logLines.join('')
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
})
