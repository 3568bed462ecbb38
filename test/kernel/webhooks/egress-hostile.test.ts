// Hostile addresses in any spelling: nothing is sent inside, and malformed addresses are refused.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEgress } from '../../../src/kernel/webhooks/egress.ts'
import { useNameServer } from '../../support/name-server.ts'
import { egressTo, makeCertificate, type Receiver, startReceiver } from '../../support/receiver.ts'

const certificate = makeCertificate()
const names = useNameServer({})
const egress = createEgress({ ...egressTo(certificate), resolver: names.resolver })
const message = { headers: {}, body: '{}' }
const patienceMs = 20_000
const post = (url: string) => egress.post(url, message, patienceMs)
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver(certificate)
})
beforeEach(() => {
  receiver.received.length = 0
})
afterAll(async () => {
  egress.close()
  await receiver.close()
})

describe('an address', () => {
  const inside = [
    ...[
      '127.0.0.2',
      '2130706434',
      '017700000002',
      '0x7f000002',
      '127.2',
      '0177.0.0.2',
      '127.0.0.2.',
    ],
    ...['0', '00000000', '0x0', '127.0.2', '0x7f.2', '0X7F.0x0.0.2', '127.0.0.2..', '4294967295'],
    ...['127%2e0%2e0%2e2', '%31%32%37.0.0.2', 'loc%61lhost', 'localhost%2e', '%30x7f000002'],
    ...['10.1.2.3', '100.64.0.1', '169.254.169.254', '172.31.255.255', '192.168.0.1', '0.0.0.0'],
    ...['192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1'],
    // Of clouds, in their own networks only: Azure's host, IBM's services, Alibaba, Oracle, Amazon.
    ...['[64:ff9b::168.63.129.16]', '[2002:a83f:8110::1]', '161.26.0.7', '166.8.0.1'],
    ...['166.11.255.254', '168.63.129.16', '100.100.100.200', '192.0.0.192', '[fd00:ec2::254]'],
    ...['240.0.0.1', '255.255.255.255', '[::]', '[::1]', '[::ffff:10.0.0.1]', '[::ffff:7f00:2]'],
    ...['[::10.0.0.1]', '[::ffff:8.8.8.8]', '[64:ff9b::10.0.0.1]', '[64:ff9b:1::808:808]'],
    ...['[2002:7f00:2::1]', '[2002:a9fe:a9fe::]', '[fc00::1]', '[fd12:3456::1]', '[fe80::1]'],
    ...['100.127.255.254', '192.88.99.1', '198.19.255.255', '239.1.1.1', '0.255.255.255'],
    ...['[::ffff:0:127.0.0.2]', '[::2]', '[64:ff9b:0:0:0:1:808:808]', '[2002:c0a8:101::1]'],
    // Of tunnels, tests, experiments, and what no one has been given.
    ...['[2001:0:4136:e378:8000:63bf:3fff:fdd2]', '[2001:2::1]', '[2001:10::1]', '[2001:20::1]'],
    ...['[3fff:fff::1]', '[feff::1]', '[ff0e::1]', '[1::1]', '[4000::1]', '[5f00::1]', '[e000::1]'],
    ...['[fec0::1]', '[ff02::1]', '[100::1]', '[2001::1]', '[2001:db8::1]', '[3fff::1]'],
    ...['localhost', 'LocalHost.', 'a.localhost', 'metadata.google.internal', 'router', 'x.local'],
    ...['x.home.arpa', '1.0.0.127.in-addr.arpa', 'x.svc.cluster.local', 'x.localdomain', 'x.onion'],
  ]
  // covers: must resolve to a public address (not localhost
  it.each(inside)('%s is not sent to', async (host) => {
    const sent = await post(`https://${host}:${receiver.port}/`)
    expect(sent).toEqual({ statusCode: null, error: 'address' })
    expect(receiver.received).toEqual([])
  })

  it.each([1, 22, 25, 80, 443, 2375, 5432, 6379, 8080, 9200, 11_211, 65_535])(
    'inside is not sent to at port %i either',
    async (port) => {
      names.names['inside.example.com'] = ['10.0.0.1']
      for (const host of ['127.0.0.2', '[::1]', '169.254.169.254', 'inside.example.com']) {
        const sent = await post(`https://${host}:${port}/`)
        expect(sent).toEqual({ statusCode: null, error: 'address' })
      }
    },
  )

  // Whatever else the text has in it, and whatever a hasty reader takes for the host.
  it.each([
    'https://8.8.8.8',
    'HTTPS://8.8.8.8:/',
    'https://8.8.8.8:00443/',
    'https://8.8.8.8#@127.0.0.1/',
    'https://8.8.8.8?@127.0.0.1/',
    'https://8.8.8.8/@127.0.0.1/',
    'https://8.8.8.8/../127.0.0.1/%0d%0ahost:127.0.0.1',
    'https://0x08080808/',
    'https://8.526344/',
    'https://%38.8.8.8./',
  ])('%s is 8.8.8.8', async (url) => {
    const vetted = await egress.vet(url, AbortSignal.timeout(patienceMs))
    expect(vetted).toMatchObject({ targets: [{ address: '8.8.8.8', host: '8.8.8.8', port: 443 }] })
  })

  it.each(['172.15.255.255', '172.32.0.1', '100.128.0.1', '223.255.255.255', '[2001:200::1]'])(
    '%s, beside those that are not, is public',
    async (host) => {
      const limit = AbortSignal.timeout(patienceMs)
      expect(await egress.vet(`https://${host}/`, limit)).toHaveProperty('targets')
    },
  )

  it.each([
    'https://8.8.8.8/',
    'https://[2001:4860:4860::8888]/',
    'https://[64:ff9b::808:808]/',
    'https://[2002:808:808::1]:8443/',
  ])('%s is public', async (url) => {
    const vetted = await egress.vet(url, AbortSignal.timeout(patienceMs))
    expect(vetted).toHaveProperty('targets[0].host', new URL(url).host)
  })

  it.each([
    'http://127.0.0.1/',
    'https://user:password@127.0.0.1/',
    'https://user@127.0.0.1/',
    'https://:password@127.0.0.1/',
    'https://@127.0.0.1/',
    'https://8.8.8.8%40127.0.0.1/',
    'https://127.0.0.1:65536/',
    'https://127.0.0.1:-1/',
    'https://127.0.0.1:0/',
    'https://127.0.0.1\\@8.8.8.8/',
    'https://8.8.8.8@127.0.0.1/',
    'https://8.8.8.8:443@127.0.0.1/',
    'https://8.8.8.8\\.example.com/',
    'https:\\\\8.8.8.8/',
    'https:8.8.8.8/',
    'https:/8.8.8.8/',
    'https:///8.8.8.8/',
    ' https://8.8.8.8/',
    'https://8.8.8.8/ ',
    'https://8.8.8.8/\n',
    'https://8.8.8.8\t/',
    'ht\ntps://8.8.8.8/',
    'https://8.8.8.8/\u0000',
    'https://8.8.8.8/ä',
    'https://8.8.8.8/%',
    'https://8.8.8.8/%zz',
    'https://1.1.1.1%00/',
    'https://１２７.0.0.1/',
    'https://127。0。0。1/',
    'https://ⓛocalhost/',
    'https://local\u00adhost/',
    'https://[fe80::1%eth0]/',
    'https://[fe80::1%25eth0]/',
    'https://[v1.x]/',
    'https://[::1]./',
    'https://[127.0.0.1]/',
    'https://4294967296/',
    'https://256.1.1.1/',
    'https://08.8.8.8/',
    'https://1.2.3.4.5/',
    'https://8.8.8.8:443x/',
    'https://8.8.8.8:+443/',
    'https://./',
    'https:///',
    'file:///etc/passwd',
    '//127.0.0.1/',
  ])('%s has a form that is refused', async (url) => {
    expect(await post(url)).toEqual({ statusCode: null, error: 'url' })
  })

  it('of 500 characters is sent to, and a longer one is not', async () => {
    const longest = `${receiver.url}?`.padEnd(500, 'a')
    expect(await post(longest)).toEqual({ statusCode: 200, error: null })
    expect(await post(`${longest}a`)).toEqual({ statusCode: null, error: 'url' })
    expect(receiver.received).toHaveLength(1)
  })
})
