// A webhook receiver: a server with a self-signed certificate, which records requests and responds
// as configured. Its signature check is written from the interface description and shares nothing
// with the code that signs.
import { execFileSync } from 'node:child_process'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/kernel/basics/clock.ts'
import type { EgressOptions } from '../../src/kernel/webhooks/egress.ts'
import { parseAllowed } from '../../src/kernel/webhooks/egress-address.ts'
import { createVet, type Vet } from '../../src/kernel/webhooks/egress-url.ts'

export type Received = {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly raw: Buffer
}

export type Receiver = {
  readonly port: number
  readonly url: string
  // What was received, the first first.
  readonly received: Received[]
  // How many connections were made.
  connections(): number
  answer(how: (request: Received, response: ServerResponse) => void): void
  close(): Promise<void>
}

export type Certificate = { readonly key: string; readonly cert: string; readonly path: string }

// Valid for loopback and for the names of tests; it is its own authority.
export function makeCertificate(
  names = 'IP:127.0.0.1,DNS:hooks.example.com,DNS:localhost',
  days = 2,
): Certificate {
  const directory = mkdtempSync(join(tmpdir(), 'tillbook-certificate-'))
  const [keyPath, path] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  const arguments_ = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  arguments_.push('-nodes', '-days', '2', '-subj', '/CN=receiver', '-keyout', keyPath, '-out', path)
  execFileSync('openssl', [...arguments_, '-addext', `subjectAltName=${names}`], {
    stdio: 'ignore',
  })
  // Only a certificate that is there can be given an end in the past.
  const renewal = ['x509', '-in', path, '-signkey', keyPath, '-days', String(days), '-out', path]
  execFileSync('openssl', renewal, { stdio: 'ignore' })
  directories.push(directory)
  return { key: readFileSync(keyPath, 'utf8'), cert: readFileSync(path, 'utf8'), path }
}

// A worker runs many test files, and makes a certificate in some.
const directories: string[] = []
process.once('exit', () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

// What a world needs in order to send to receivers on this machine.
export function egressTo({ cert }: Certificate) {
  const allowed = parseAllowed('127.0.0.1')
  if (!allowed) throw new Error('no range')
  return { allowed, extraCa: cert }
}

// As if the receiver were on the public internet.
export function publicEgressTo(certificate: Certificate): EgressOptions {
  const { allowed, extraCa } = egressTo(certificate)
  const vetLoopback = createVet(allowed, systemClock)
  const vet: Vet = async (url, signal) => {
    const vetted = await vetLoopback(url, signal)
    if ('problem' in vetted) return vetted
    return { targets: vetted.targets.map((target) => ({ ...target, isOpened: false })) }
  }
  return { allowed, extraCa, vet }
}

export async function startReceiver(certificate: Certificate): Promise<Receiver> {
  const received: Received[] = []
  let connections = 0
  let answer = (_request: Received, response: ServerResponse) => {
    response.writeHead(200).end('ok')
  }
  const server = createServer(certificate, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const one = { path: request.url ?? '', headers: request.headers, raw: Buffer.concat(chunks) }
    received.push(one)
    answer(one, response)
  })
  server.on('secureConnection', () => {
    connections += 1
  })
  // What a sender does to us is its own business.
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `https://127.0.0.1:${port}/hook`,
    received,
    connections: () => connections,
    answer(how) {
      answer = how
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

// As the interface tells receivers to check.
export function isGenuine({ headers, raw }: Received, secret: string, now: Date): boolean {
  const timestamp = String(headers['x-service-timestamp'])
  const signature = Buffer.from(String(headers['x-service-signature']), 'hex')
  const signed = Buffer.concat([Buffer.from(`${timestamp}.`), raw])
  const expected = createHmac('sha256', secret).update(signed).digest()
  const isFresh = Math.abs(now.getTime() / 1000 - Number(timestamp)) <= 300
  return isFresh && signature.length === expected.length && timingSafeEqual(signature, expected)
}
