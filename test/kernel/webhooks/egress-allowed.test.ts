// Exceptions that operators set: exact names, addresses and ranges, and nothing else.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createEgress } from '../../../src/kernel/webhooks/egress.ts'
import { type Allowed, parseAllowed } from '../../../src/kernel/webhooks/egress-address.ts'
import { useNameServer } from '../../support/name-server.ts'
import { makeCertificate, type Receiver, startReceiver } from '../../support/receiver.ts'

const certificate = makeCertificate()
const names = useNameServer({
  'inside.example.com': ['10.1.2.3'],
  'both.example.com': ['10.1.2.3', '10.2.0.1'],
})
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver(certificate)
})
afterAll(() => receiver.close())

function open(text: string): Allowed {
  const allowed = parseAllowed(text)
  if (!allowed) throw new Error(`${text} is refused`)
  return allowed
}

function useEgress(text: string) {
  const { resolver } = names
  const egress = createEgress({ allowed: open(text), extraCa: certificate.cert, resolver })
  onTestFinished(() => egress.close())
  return {
    post: (url: string) => egress.post(url, { headers: {}, body: '{}' }, 20_000),
    async problemOf(host: string) {
      const limit = AbortSignal.timeout(20_000)
      const vetted = await egress.vet(`https://${host}/`, limit)
      return 'problem' in vetted ? vetted.problem : null
    },
  }
}

describe('a name that is opened', () => {
  it('is sent to, wherever this machine says that it is', async () => {
    const { post } = useEgress('LocalHost')
    const sent = await post(`https://localhost:${receiver.port}/`)
    expect(sent).toEqual({ statusCode: 200, error: null })
    expect(receiver.received).toHaveLength(1)
  })

  it.each([
    'a.localhost',
    'localhost.localdomain',
    'xlocalhost',
    '127.0.0.1',
    '[::1]',
    'hooks.internal',
  ])('does not open %s', async (host) => {
    expect(await useEgress('localhost').problemOf(host)).toBe('address')
  })
})

describe('a range that is opened', () => {
  it.each([
    ['10.1.2.3', null],
    ['10.1.255.255', null],
    ['10.2.0.0', 'address'],
    // Where the packets of it go is opened.
    ['[::ffff:a01:203]', null],
    ['[::ffff:a02:1]', 'address'],
    ['inside.example.com', null],
    ['both.example.com', 'address'],
  ])('lets %s have the problem %s', async (host, problem) => {
    expect(await useEgress('10.1.0.0/16').problemOf(host)).toBe(problem)
  })
})

it('names and ranges are read together, in whatever spelling', () => {
  const { hosts, ranges } = open('Hooks.Internal, 10.1.0.0/16,::1 ,192.168.7.1')
  expect([...hosts]).toEqual(['hooks.internal'])
  expect(ranges).toHaveLength(3)
})

it.each([
  ...['', ',', 'a,', '*', '*.internal', 'https://a.internal', 'a.internal:443', 'a b', '.a', 'a.'],
  ...['10.0.0.0/33', '10.1', '10.1.2.256', '::1/129', 'a/8', '10.1.2.3-10.1.2.9'],
  // Open everything, at once or with a second range like it.
  ...['0.0.0.0/0', '::/0', '::ffff:0.0.0.0/96', '128.0.0.0/1', '10.1.0.0/16,8.0.0.0/7', '2000::/3'],
])('%j opens nothing and is refused', (text) => {
  expect(parseAllowed(text)).toBeUndefined()
})
