// A process that receives webhooks over HTTPS, as quickly as Node can or not at all: what is sent
// below /hang waits for an answer that never comes. Told to over IPC, it tells how long the first
// attempts that it answered were on their way, from the moment in the envelope to their arrival.
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
// Whoever sends may go.
server.on('tlsClientError', () => undefined)
server.keepAliveTimeout = 120_000

process.on('message', () => {
  process.send?.({ waitsMs })
  waitsMs = []
})
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port })
})
