// A process that receives webhooks over HTTPS, as fast as Node can, or never responds: requests
// below /hang get no response. On an IPC message it reports how long the first attempts took, from
// the time in the envelope to their arrival. It is also a name server that resolves every name to
// itself.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

const [, , keyPath = '', certPath = ''] = process.argv
let waitsMs: number[] = []

const options = { key: readFileSync(keyPath), cert: readFileSync(certPath) }
const server = createServer(options, (request, response) => {
  const arrivedMs = Date.now()
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (request.url?.startsWith('/hang')) return
    response.writeHead(200).end()
    if (request.headers['x-service-attempt'] !== '1') return
    const { created_at } = JSON.parse(Buffer.concat(chunks).toString())
    waitsMs.push(arrivedMs - Date.parse(created_at))
  })
})
// The sender may disconnect.
server.on('tlsClientError', () => undefined)
server.keepAliveTimeout = 120_000

process.on('message', () => {
  process.send?.({ waitsMs })
  waitsMs = []
})
process.on('disconnect', () => process.exit())

const typeOfAddress = 1
const nameServer = createSocket('udp4')
nameServer.on('message', (query, from) => {
  let at = 12
  while (query.readUInt8(at) > 0) at += query.readUInt8(at) + 1
  const isAddress = query.readUInt16BE(at + 1) === typeOfAddress
  const head = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, isAddress ? 1 : 0, 0, 0, 0, 0])
  query.copy(head, 0, 0, 2)
  // The name of the question, type A, class internet, one minute, four bytes.
  const record = [0xc0, 0x0c, 0, typeOfAddress, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]
  const answer = [head, query.subarray(12, at + 5), Buffer.from(isAddress ? record : [])]
  nameServer.send(Buffer.concat(answer), from.port, from.address)
})

nameServer.bind(0, '127.0.0.1')
server.listen(0, '127.0.0.1')
await Promise.all([once(nameServer, 'listening'), once(server, 'listening')])
process.send?.({
  port: (server.address() as AddressInfo).port,
  nameServerPort: nameServer.address().port,
})
