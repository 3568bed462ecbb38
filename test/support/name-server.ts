// A name server for the names of a test, queried over UDP by the real resolver.
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { isIPv4 } from 'node:net'
import { afterAll, beforeAll } from 'vitest'

// By name: its addresses, or that asking for it, or for one kind of them, fails, or is met by
// silence. Others do not exist.
export type Names = Record<string, readonly string[] | HalfAnswer | 'failing' | 'silent'>

type HalfAnswer = { readonly addresses: readonly string[]; readonly failing: 'a' | 'aaaa' }

export type NameServer = { readonly resolver: Resolver; readonly names: Names }

const types = { a: 1, aaaa: 28 }
const codes = { none: 0, failing: 2, unknown: 3 }

// The names may be changed while it runs.
export function useNameServer(names: Names): NameServer {
  const socket = createSocket('udp4')
  // It only ends what hangs; tests of silence have their own deadlines.
  const resolver = new Resolver({ timeout: 60_000, tries: 1 })
  socket.on('message', (query, from) => {
    const answer = answerTo(query, names)
    if (answer) socket.send(answer, from.port, from.address)
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
    resolver.setServers([`127.0.0.1:${socket.address().port}`])
  })
  afterAll(() => new Promise<void>((resolve) => socket.close(resolve)))
  return { resolver, names }
}

function answerTo(query: Buffer, names: Names): Buffer | undefined {
  const labels: string[] = []
  let at = 12
  while (query.readUInt8(at) > 0) {
    const length = query.readUInt8(at)
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  const type = query.readUInt16BE(at + 1)
  const known = names[labels.join('.').toLowerCase()]
  if (known === 'silent') return undefined
  const half = typeof known === 'object' && 'failing' in known ? known : undefined
  const isFailing = known === 'failing' || (half && type === types[half.failing])
  const addresses = half ? half.addresses : Array.isArray(known) ? (known as string[]) : []
  const found = addresses.filter(
    (one) => !isFailing && type === (isIPv4(one) ? types.a : types.aaaa),
  )
  const code = isFailing ? codes.failing : known ? codes.none : codes.unknown
  const head = Buffer.alloc(12)
  query.copy(head, 0, 0, 2)
  head.writeUInt16BE(0x8180 | code, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(found.length, 6)
  const records = found.map((address) => {
    const data = bytesOf(address)
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt16BE(data.length, 10)
    return Buffer.concat([record, data])
  })
  return Buffer.concat([head, query.subarray(12, at + 5), ...records])
}

function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail = ''] = address.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const [before, after] = [groups(head), groups(tail)]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  const all = [...before, ...zeros, ...after].map((group) => group.padStart(4, '0'))
  return Buffer.from(all.join(''), 'hex')
}
