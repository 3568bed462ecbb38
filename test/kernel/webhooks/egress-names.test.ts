// How often names are looked up. Attempts share a result for a second, so that hundreds to one name
// are not hundreds of lookups. Only vetted addresses are dialled.
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { createEgress } from '../../../src/kernel/webhooks/egress.ts'
import { manualClock } from '../../support/clock.ts'
import { type Names, useNameServer } from '../../support/name-server.ts'
import { egressTo, makeCertificate, type Receiver, startReceiver } from '../../support/receiver.ts'

const name = 'hooks.example.com'
const certificate = makeCertificate()
const clock = manualClock()
const names = useNameServer({})
const message = { headers: {}, body: '{}' }
const delivered = { statusCode: 200, error: null }
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver(certificate)
})
beforeEach(() => {
  receiver.received.length = 0
  names.names[name] = ['127.0.0.1']
})
afterAll(() => receiver.close())

function useEgress() {
  const { resolver } = names
  const egress = createEgress({ ...egressTo(certificate), resolver, clock })
  const fours = vi.spyOn(resolver, 'resolve4')
  const sixes = vi.spyOn(resolver, 'resolve6')
  onTestFinished(() => {
    egress.close()
    fours.mockRestore()
    sixes.mockRestore()
  })
  return {
    fours,
    questions: () => [fours.mock.calls.length, sixes.mock.calls.length],
    post: (timeoutMs = 20_000, path = '/') =>
      egress.post(`https://${name}:${receiver.port}${path}`, message, timeoutMs),
  }
}

it('attempts that begin together ask once, whatever they have to say there', async () => {
  const { post, questions } = useEgress()
  const sent = await Promise.all(Array.from({ length: 50 }, (_, at) => post(20_000, `/${at}`)))
  expect(sent).toEqual(sent.map(() => delivered))
  expect(questions()).toEqual([1, 1])
  expect(new Set(receiver.received.map(({ path }) => path)).size).toBe(50)
})

it('what was found is known for a second, and then asked for again', async () => {
  const { post, questions } = useEgress()
  await post()
  clock.advance(999)
  await post()
  expect(questions()).toEqual([1, 1])
  clock.advance(1)
  await post()
  expect(questions()).toEqual([2, 2])
})

it('a name that moves inside is dialled where it was vetted, and refused after a second', async () => {
  const { post } = useEgress()
  expect(await post()).toEqual(delivered)
  names.names[name] = ['127.0.0.2']
  clock.advance(999)
  expect(await post()).toEqual(delivered)
  clock.advance(1)
  expect(await post()).toEqual({ statusCode: null, error: 'address' })
  expect(receiver.received).toHaveLength(2)
})

it.each<[string, Names[string] | undefined, string]>([
  ['could not be found', 'failing', 'name'],
  ['did not exist', undefined, 'name'],
  ['led inside', ['127.0.0.2'], 'address'],
])('that a name %s is not remembered', async (_, before, error) => {
  const { post } = useEgress()
  if (before) names.names[name] = before
  else delete names.names[name]
  expect(await post()).toEqual({ statusCode: null, error })
  names.names[name] = ['127.0.0.1']
  expect(await post()).toEqual(delivered)
})

// The half that did not come could hold an address inside.
it.each(['a', 'aaaa'] as const)(
  'half an answer, without its %s records, is none',
  async (failing) => {
    const { post } = useEgress()
    names.names[name] = { addresses: ['127.0.0.1', '::1'], failing }
    expect(await post()).toEqual({ statusCode: null, error: 'name' })
    expect(receiver.received).toEqual([])
    // Where there are none of a kind, the other is the whole answer.
    names.names[name] = ['127.0.0.1']
    expect(await post()).toEqual(delivered)
  },
)

it('who gives up waiting for an answer leaves it to those who share it', async () => {
  const { post, fours, questions } = useEgress()
  const asked = Promise.withResolvers<string[]>()
  fours.mockReturnValue(asked.promise as Promise<never>)
  const patient = post()
  expect(await post(20)).toEqual({ statusCode: null, error: 'timeout' })
  asked.resolve(['127.0.0.1'])
  expect(await patient).toEqual(delivered)
  expect(questions()).toEqual([1, 1])
})
