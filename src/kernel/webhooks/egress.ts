// The one door through which webhooks leave. Each request goes to an address that was vetted for
// it, under the name that the certificate must have; it follows nothing, waits no longer than its
// deadline for the status line, which decides, and reads little of what comes after.

import type { Resolver } from 'node:dns/promises'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { Agent, type RequestOptions, request } from 'node:https'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { createSecureContext, rootCertificates } from 'node:tls'
import { normaliseAddress } from '../basics/address.ts'
import { assertNoTransaction } from '../db/database.ts'
import { type Allowed, nothingAllowed } from './egress-address.ts'
import { createVet, type Target, type Vet } from './egress-url.ts'
import type { WebhookRequest } from './profile.ts'

// What came of an attempt. The error is one of these words, for people to read in the log; what the
// receiver or the network said is not kept, since it could tell of things inside.
export type Outcome =
  | { readonly statusCode: number; readonly error: null }
  | { readonly statusCode: number; readonly error: 'status' | 'redirect' }
  | { readonly statusCode: null; readonly error: Failure }

type Failure = 'url' | 'address' | 'name' | 'timeout' | 'tls' | 'connection' | 'protocol'

export type Egress = {
  readonly vet: Vet
  post(url: string, message: WebhookRequest, timeoutMs: number): Promise<Outcome>
  close(): void
}

export type EgressOptions = {
  readonly allowed?: Allowed
  // Certificates in PEM that are trusted beside the usual ones.
  readonly extraCa?: string
  readonly resolver?: Resolver
}

// Together at most a minute for which a connection outlives the look at its address.
const idleMs = 30_000
const reuseMs = 30_000
const bodyBytesMax = 16 * 1024
const headerBytesMax = 16 * 1024

export function createEgress({ allowed = nothingAllowed, extraCa, resolver }: EgressOptions = {}) {
  const vet = createVet(allowed, resolver)
  const secureContext =
    extraCa === undefined ? undefined : createSecureContext({ ca: [...rootCertificates, extraCa] })
  const { agent, close } = createAgent()

  async function post(url: string, message: WebhookRequest, timeoutMs: number): Promise<Outcome> {
    assertNoTransaction('a webhook was sent')
    const deadline = AbortSignal.timeout(timeoutMs)
    const vetted = await vet(url, deadline)
    if ('problem' in vetted) {
      if (deadline.aborted) return failed('timeout')
      const { problem } = vetted
      return failed(problem === 'form' ? 'url' : problem === 'address' ? 'address' : 'name')
    }
    const options: RequestOptions = {
      ...requestOptions(vetted.target, message),
      agent,
      ...(secureContext && { secureContext }),
    }
    const first = await send(vetted.target, options, message.body, deadline)
    // A kept connection may have been closed by the other side at the moment of its use. Nothing
    // was answered on it, so this is the same attempt on a new one.
    if (first !== 'stale') return first
    const second = await send(vetted.target, { ...options, agent: false }, message.body, deadline)
    return second === 'stale' ? failed('connection') : second
  }

  return { vet, post, close } satisfies Egress
}

// A connection in steady use is given up too, between two requests. Closing leaves alone what is
// under way: an attempt that is cut off by our own end would be logged as the receiver's failure.
function createAgent(): { agent: Agent; close(): void } {
  const agent = new Agent({ keepAlive: true, timeout: idleMs, maxCachedSessions: 1000 })
  const old = new WeakSet<Duplex>()
  let isClosed = false
  const isKept = agent.keepSocketAlive.bind(agent)
  agent.keepSocketAlive = (socket) => {
    if (isClosed || old.has(socket)) return false
    return isKept(socket)
  }
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, callback) => {
    const socket = connect(options, callback)
    if (socket) setTimeout(() => old.add(socket), reuseMs).unref()
    return socket
  }
  return {
    agent,
    close() {
      isClosed = true
      for (const sockets of Object.values(agent.freeSockets)) {
        for (const socket of sockets ?? []) socket.destroy()
      }
    },
  }
}

// The agent keeps connections by address and name together, so one that was made for another
// address of the name is never taken. No lookup happens, because the host is an address already.
function requestOptions({ url, hostname, address }: Target, message: WebhookRequest) {
  return {
    method: 'POST',
    host: address,
    port: url.port === '' ? 443 : Number.parseInt(url.port, 10),
    path: url.pathname + url.search,
    servername: isIP(hostname) ? '' : hostname,
    // Whatever the environment of the process says.
    rejectUnauthorized: true,
    maxHeaderSize: headerBytesMax,
    headers: {
      ...message.headers,
      host: isIP(hostname) ? url.host : url.host.replace(/^[^:]*/, hostname),
      'content-length': Buffer.byteLength(message.body),
    },
  }
}

function send(
  target: Target,
  options: RequestOptions,
  body: string,
  deadline: AbortSignal,
): Promise<Outcome | 'stale'> {
  const { promise, resolve } = Promise.withResolvers<Outcome | 'stale'>()
  const sent = request(options)
  const expire = () => {
    resolve(failed('timeout'))
    sent.destroy()
  }
  if (deadline.aborted) expire()
  deadline.addEventListener('abort', expire, { once: true })
  sent.once('close', () => deadline.removeEventListener('abort', expire))
  sent.once('response', (response) => {
    resolve(outcomeOf(response.statusCode ?? 0))
    discard(sent, response)
  })
  sent.once('upgrade', (_response, socket) => {
    resolve(failed('protocol'))
    socket.destroy()
  })
  sent.on('error', (error) => {
    const isStale = sent.reusedSocket && codeOf(error) === 'ECONNRESET' && !deadline.aborted
    resolve(isStale ? 'stale' : failed(failureOf(error)))
  })
  sent.once('socket', (socket) => {
    whenConnected(socket as TLSSocket, () => {
      if (normaliseAddress(socket.remoteAddress ?? '') === normaliseAddress(target.address)) {
        sent.end(body)
      } else {
        resolve(failed('address'))
        sent.destroy()
      }
    })
  })
  return promise
}

// Nothing is written before the other side has shown its certificate and is where it should be.
function whenConnected(socket: TLSSocket, then: () => void): void {
  if (!socket.connecting && socket.authorized) then()
  else socket.once('secureConnect', then)
}

// Read to its end when it is short, so that the connection can be used again.
function discard(sent: ClientRequest, response: IncomingMessage): void {
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > bodyBytesMax) sent.destroy()
  })
  response.on('error', () => sent.destroy())
}

function outcomeOf(statusCode: number): Outcome {
  // The parser takes any three digits.
  if (statusCode < 100) return failed('protocol')
  if (statusCode >= 200 && statusCode < 300) return { statusCode, error: null }
  const error = statusCode >= 300 && statusCode < 400 ? 'redirect' : 'status'
  return { statusCode, error }
}

function failed(error: Failure): Outcome {
  return { statusCode: null, error }
}

function failureOf(error: Error): Failure {
  const code = codeOf(error)
  if (/^HPE_/.test(code)) return 'protocol'
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_|EPROTO)/.test(code)) {
    return 'tls'
  }
  return 'connection'
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}
