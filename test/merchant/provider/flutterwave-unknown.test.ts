// Everything that is neither a success nor a refusal is unknown, whatever really happened.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../../src/kernel/basics/log.ts'
import { createFlutterwave } from '../../../src/merchant/provider/flutterwave.ts'
import type { Provider } from '../../../src/merchant/provider/provider.ts'
import { useProvider } from '../../simulator/provider.ts'
import { databaseForThisTest } from '../../support/database.ts'
import { instruction, pay, shopAt, successOf } from './adapter.ts'

const provider = useProvider()

// Far longer than the adapter is told to wait, so that only the adapter can end the wait.
const longMs = 600_000

const misbehaviours: [string, Record<string, unknown>, RegExp][] = [
  ['an answer that comes too late', { effect: 'delay', ms: longMs }, /no answer within/],
  ['a connection that breaks', { effect: 'drop' }, /connection failed/],
  ['an unreadable answer', { effect: 'unreadable' }, /HTTP 200 with an unreadable body/],
  ...[500, 502, 503, 401, 403, 408, 409, 429].map(
    (status): [string, Record<string, unknown>, RegExp] => [
      `the status ${status}`,
      { effect: 'refuse', status },
      new RegExp(`^HTTP ${status}: `),
    ],
  ),
]

describe.each(misbehaviours)('%s', (_name, rule, cause) => {
  test('leaves every call unknown', async () => {
    const at = await shopAt(provider())
    const charge = await pay(at)
    await at.shop.rule({ operation: '*', ...rule })
    // Long enough for the calls before, which must succeed on a busy machine.
    const { adapter } = rule.effect === 'delay' ? impatient(at.shop.key) : at
    const now = provider().clock.now()
    const { reference, transactionId } = charge
    const outcomes = [
      await adapter.createCheckout(instruction()),
      await adapter.findCharge(reference),
      await adapter.listCharges({ from: now, to: now, page: 1 }),
      await adapter.refund({ transactionId, amountMinor: 20_000n, currency: 'NGN', note: '' }),
      await adapter.listRefunds(transactionId),
    ]
    for (const outcome of outcomes) {
      expect(outcome).toEqual({ kind: 'unknown', cause: expect.stringMatching(cause) })
    }
  })
})

test.each([
  ['drop_after', {}],
  ['refuse_after', { status: 500 }],
  ['refuse_after', { status: 429 }],
  ['unreadable', {}],
])(
  'a refund that was made before %s %j is unknown, and found in the list',
  async (effect, more) => {
    const at = await shopAt(provider())
    const { transactionId, reference } = await pay(at)
    const operation = 'POST /transactions/:id/refund'
    await at.shop.rule({ operation, effect, ...more })
    const wanted = { transactionId, amountMinor: 20_000n, currency: 'NGN', note: '' }
    expect((await at.adapter.refund(wanted)).kind).toBe('unknown')
    expect((await at.shop.effects(reference)).refund).toBe(1)
    expect(successOf(await at.adapter.listRefunds(transactionId))).toHaveLength(1)
  },
)

test('a refused list never passes for an empty one', async () => {
  const at = await shopAt(provider())
  const { transactionId, reference } = await pay(at)
  await at.shop.rule({ operation: '*', effect: 'refuse', status: 400 })
  expect((await at.adapter.listRefunds(transactionId)).kind).toBe('unknown')
  expect((await at.adapter.findCharge(reference)).kind).toBe('unknown')
})

test('a decline is believed only when the list has no success under its reference', async () => {
  const charge = (id: number, status: string) => ({
    id,
    tx_ref: 'order',
    amount: 10,
    currency: 'NGN',
    status,
  })
  const { adapter } = await answering((request) =>
    json(
      200,
      success(
        request.includes('verify_by_reference')
          ? charge(1, 'failed')
          : [charge(1, 'failed'), charge(2, 'successful'), charge(3, 'pending')],
      ),
    ),
  )
  const found = successOf(await adapter.findCharge('order'))
  expect(found).toMatchObject({ transactionId: '2', status: 'successful' })
})

const nested = `{"status":"success","data":${'['.repeat(100)}${']'.repeat(100)}}`

const linked = success({ link: 'https://pay.example/1' })

const unclear: [string, string | null][] = [
  ['nothing, and the connection closes', null],
  ['bytes that are no HTTP', 'hello\r\n\r\n'],
  ['a head without the body it announces', 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{}'],
  ['a page of a gateway', response(404, 'text/html', '<h1>Not found</h1>')],
  ['a refusal that is no envelope', json(400, { error: 'no' })],
  ['a refusal that says success', json(400, linked)],
  ['a success that says error', json(200, { ...linked, status: 'error' })],
  ['a list instead of an envelope', json(200, [])],
  ['an envelope without data', json(200, { status: 'success', message: 'Done' })],
  ['a link that is none', json(200, success({ link: 'pay here' }))],
  ['JSON nested too deeply', response(200, 'application/json', nested)],
]

test.each(unclear)('%s is unknown', async (_name, answer) => {
  const { adapter } = await answering(() => answer)
  expect((await adapter.createCheckout(instruction())).kind).toBe('unknown')
})

test('a redirect is unknown, and the key is not carried there', async () => {
  const asked: string[] = []
  const { adapter } = await answering((request) => {
    asked.push(request)
    if (asked.length > 1) return json(200, linked)
    return 'HTTP/1.1 307 Other\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n'
  })
  expect((await adapter.createCheckout(instruction())).kind).toBe('unknown')
  expect(asked).toHaveLength(1)
})

test('an answer without end is cut off', async () => {
  const { adapter, hung } = await answering(() => endless)
  const outcome = await adapter.createCheckout(instruction())
  expect(outcome).toEqual({ kind: 'unknown', cause: expect.stringMatching(/more than \d+ bytes/) })
  await hung
})

test('a server that accepts and never answers is given up', async () => {
  const { adapter } = await answering(() => '', 50)
  const outcome = await adapter.createCheckout(instruction())
  expect(outcome).toEqual({ kind: 'unknown', cause: 'no answer within 50 ms' })
})

test('a provider that is not there is unknown', async () => {
  const { server, adapter } = await answering(() => '')
  await closed(server)
  expect(await adapter.createCheckout(instruction())).toEqual({
    kind: 'unknown',
    cause: 'the connection failed: ECONNREFUSED',
  })
})

describe('an entry that makes no sense', () => {
  const refund = { id: 5, TransactionId: 7, AmountRefunded: 10, status: 'completed' }
  test.each([
    ['a status that no one knows', { ...refund, status: 'rejected' }],
    ['no id', { ...refund, id: null }],
    ['an amount that is no number', { ...refund, AmountRefunded: 'ten' }],
    ['no object', 'refund'],
  ])('makes a list of refunds unknown: %s', async (_name, entry) => {
    const { adapter } = await answering(() => json(200, onlyPage([refund, entry])))
    expect(await adapter.listRefunds('7')).toEqual({
      kind: 'unknown',
      cause: 'an invalid answer: fields are missing',
    })
  })

  test('but text for numbers, another case and a missing page count are understood', async () => {
    let page = 0
    const entry = { Id: '5', TransactionId: '7', AmountRefunded: '10.50', Status: 'Completed' }
    const { adapter } = await answering(() => {
      page += 1
      return json(200, success(page === 1 ? [entry] : []))
    })
    const [found] = successOf(await adapter.listRefunds('7'))
    expect(found).toMatchObject({ refundId: '5', transactionId: '7', status: 'accepted' })
  })

  test('refunds of another charge are left out, and a list without an end is unknown', async () => {
    const { adapter } = await answering(() => json(200, success([refund])))
    expect(await adapter.listRefunds('8')).toMatchObject({ kind: 'unknown' })
    const one = await answering(() => json(200, onlyPage([refund])))
    expect(await one.adapter.listRefunds('8')).toEqual({ kind: 'success', value: [] })
  })
})

test('a charge of another reference than asked for is unknown', async () => {
  const data = { id: 1, tx_ref: 'theirs', amount: 10, currency: 'NGN', status: 'successful' }
  const { adapter } = await answering(() => json(200, success(data)))
  expect((await adapter.findCharge('ours')).kind).toBe('unknown')
})

test('a status of a charge that no one knows is not final', async () => {
  const data = { id: 1, tx_ref: 'ours', amount: 10, currency: 'NGN', status: 'pending-validation' }
  const { adapter } = await answering((request) =>
    json(200, success(request.includes('verify') ? data : [])),
  )
  expect(successOf(await adapter.findCharge('ours'))?.status).toBe('pending')
})

test('the secret key is in no outcome and no log line, even if they repeat it', async () => {
  const lines: string[] = []
  const message = `The key ${secretKey} is not welcome`
  for (const status of [400, 500]) {
    const { adapter } = await answering(
      () => json(status, { status: 'error', message, data: null }),
      undefined,
      lines,
    )
    const outcome = await adapter.createCheckout(instruction())
    expect(JSON.stringify(outcome)).toContain('is not welcome')
    expect(JSON.stringify(outcome)).not.toContain(secretKey)
  }
  expect(lines.join('')).toContain('gave no clear answer')
  expect(lines.join('')).not.toContain(secretKey)
})

test('nothing is asked while a transaction is open', async () => {
  const database = await databaseForThisTest()
  let asked = 0
  const { adapter } = await answering(() => {
    asked += 1
    return json(200, success([]))
  })
  const now = new Date('2026-03-01T12:00:00Z')
  const calls: (() => Promise<unknown>)[] = [
    () => adapter.createCheckout(instruction()),
    () => adapter.findCharge('order'),
    () => adapter.listCharges({ from: now, to: now, page: 1 }),
    () => adapter.refund({ transactionId: '1', amountMinor: 1n, currency: 'NGN', note: '' }),
    () => adapter.listRefunds('1'),
  ]
  for (const call of calls) {
    await expect(database.transaction(call)).rejects.toThrow('inside an open transaction')
  }
  expect(asked).toBe(0)
})

test.each(['', ' FLWSECK-1-X', 'FLWSECK-1-X\n'])('the key %j is not accepted', (key) => {
  const options = { baseUrl: 'https://api.example/v3', log: silent }
  expect(() => createFlutterwave({ ...options, secretKey: key })).toThrow('a provider key')
})

const silent = createLog('silent')
const secretKey = 'FLWSECK-very-secret-X'
const endless = Symbol('endless')

function impatient(key: string): { adapter: Provider } {
  const baseUrl = `${provider().apiUrl}/v3`
  const options = { baseUrl, secretKey: key, log: silent, timeoutMs: 50 }
  return { adapter: createFlutterwave(options) }
}

function success(data: unknown) {
  return { status: 'success', message: 'Done', data }
}

function onlyPage(data: unknown) {
  return { ...success(data), meta: { page_info: { total_pages: 1 } } }
}

function json(status: number, body: unknown): string {
  return response(status, 'application/json', JSON.stringify(body))
}

function response(status: number, type: string, body: string): string {
  const head = `HTTP/1.1 ${status} Any\r\ncontent-type: ${type}\r\nconnection: close`
  return `${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

type Bytes = string | null | typeof endless

// A server that answers every request with the bytes it is told to and closes the connection; the
// empty text leaves it open and silent.
async function answering(
  answerTo: (request: string) => Bytes,
  timeoutMs?: number,
  lines: string[] = [],
) {
  const sockets = new Set<Socket>()
  const { promise: hung, resolve } = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      resolve()
    })
    socket.once('data', (bytes) => {
      const answer = answerTo(bytes.toString())
      if (answer === endless) pourInto(socket)
      else if (answer === null) socket.end()
      else if (answer !== '') socket.end(answer)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await closed(server)
  })
  const { port } = server.address() as AddressInfo
  const log = createLog('debug', { write: (line) => lines.push(line) })
  const baseUrl = `http://127.0.0.1:${port}/v3`
  return { adapter: createFlutterwave({ baseUrl, secretKey, log, timeoutMs }), server, hung }
}

function pourInto(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n')
  const chunk = Buffer.alloc(65_536, ' ')
  const pour = () => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on('drain', pour)
  pour()
}

async function closed(server: Server): Promise<void> {
  server.close()
  await once(server, 'close')
}
