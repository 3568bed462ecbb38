// Sends webhooks over HTTPS, with undici. Every request goes to a vetted address, with the host
// name that the certificate must show. Redirects are not followed. One deadline covers name lookup,
// TCP, TLS and the status line. The status decides the outcome. Up to 16 KiB of the body are read,
// and its start is kept for the log.
import { constants } from 'node:crypto'
import type { Resolver } from 'node:dns/promises'
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'
import type { Dispatcher } from 'undici'
import { assert, assertDefined } from '../basics/assert.ts'
import { type Clock, systemClock } from '../basics/clock.ts'
import { assertNoTransaction } from '../db/transaction.ts'
import { type Allowed, nothingAllowed } from './egress-address.ts'
import { type Connection, createConnections, type KeepAlive } from './egress-connections.ts'
import { EgressError, type Failure, failureOf } from './egress-failure.ts'
import { bodyBytesMax, readResponse } from './egress-response.ts'
import { createVet, type Target, targetsMax, type Vet } from './egress-url.ts'
import type { WebhookRequest } from './profile.ts'

export type Outcome =
  | (Answered & { readonly error: null | 'status' | 'redirect' })
  | { readonly statusCode: null; readonly error: Failure; readonly responseText?: never }

// Without a text if it is not kept.
type Answered = { readonly statusCode: number; readonly responseText?: string }

export type Egress = {
  readonly vet: Vet
  post(url: string, message: WebhookRequest, timeoutMs: number): Promise<Outcome>
  // Closes idle connections. Attempts under way still get their responses.
  close(): void
}

export type EgressOptions = {
  readonly allowed?: Allowed
  // Certificates in PEM that are trusted in addition to the usual ones.
  readonly extraCa?: string
  readonly resolver?: Resolver
  readonly vet?: Vet
  readonly clock?: Clock
  readonly keepAlive?: KeepAlive
}

export function createEgress(options: EgressOptions = {}): Egress {
  const { allowed = nothingAllowed, extraCa, resolver, clock = systemClock, keepAlive } = options
  const vet = options.vet ?? createVet(allowed, clock, resolver)
  const connections = createConnections(() => secureContextWith(extraCa), clock, keepAlive)

  async function post(url: string, message: WebhookRequest, timeoutMs: number): Promise<Outcome> {
    assertNoTransaction('sending a webhook')
    assertHeaders(message)
    const deadline = startDeadline(timeoutMs)
    try {
      const vetted = await vet(url, deadline.signal)
      if ('problem' in vetted) throw new EgressError(failureByProblem[vetted.problem])
      return outcomeOf(await send(vetted.targets, message, deadline))
    } catch (error) {
      deadline.clear()
      const failure = deadline.signal.aborted ? 'timeout' : failureOf(error)
      return { statusCode: null, error: failure }
    }
  }

  async function send(
    targets: readonly Target[],
    message: WebhookRequest,
    deadline: Deadline,
  ): Promise<Answered> {
    // The same for all addresses of the host.
    const path = targets[0]?.path ?? '/'
    const request = { method: 'POST', path, ...message, signal: deadline.signal } as const
    const kept = connections.take(targets)
    if (!kept) return exchange(await openFirst(targets, deadline), request, deadline)
    try {
      return await exchange(kept, request, deadline)
    } catch (error) {
      // Receivers close idle connections, sometimes just as we use one. If no response arrived, the
      // attempt continues on a new connection to the same address, where the receiver may already
      // have the request.
      if (deadline.signal.aborted || kept.pieces > 0) throw error
      return exchange(await connections.open(kept.target, deadline.signal), request, deadline)
    }
  }

  // Nothing is sent before the TLS handshake is complete. An address that can't be reached, hangs
  // or disconnects before that is skipped. One with a wrong certificate is not: people must know if
  // someone else answers at an address of the receiver.
  async function openFirst(
    targets: readonly Target[],
    { signal, timeoutMs }: Deadline,
  ): Promise<Connection> {
    for (const target of targets.slice(0, -1)) {
      try {
        return await connections.open(target, signal, timeoutMs / targetsMax)
      } catch (error) {
        if (signal.aborted || failureOf(error) !== 'connection') throw error
      }
    }
    // The last one can use all the remaining time.
    return connections.open(assertDefined(targets.at(-1), 'a host has no address'), signal)
  }

  // Resolves with the status and the start of the body. The rest is read in the background.
  async function exchange(
    connection: Connection,
    request: Dispatcher.RequestOptions,
    { clear }: Deadline,
  ): Promise<Answered> {
    connection.pieces = 0
    try {
      const { statusCode, body } = await connection.client.request(request)
      if (connection.target.isOpened) {
        connections.keep(connection, body.dump({ limit: bodyBytesMax }).finally(clear))
        return { statusCode }
      }
      const { start, ended } = readResponse(body)
      connections.keep(connection, ended.finally(clear))
      return { statusCode, responseText: await start }
    } catch (error) {
      connection.socket.destroy()
      throw error
    }
  }

  return { vet, post, close: connections.close }
}

const failureByProblem = {
  form: 'url',
  address: 'address',
  no_such_name: 'name',
  unresolved: 'name',
} as const

// Receivers can't start a new handshake on an open connection (TLS 1.2). Each handshake costs as
// much as many responses, and a receiver could request them without end.
function secureContextWith(extraCa: string | undefined): SecureContext {
  const ca = extraCa === undefined ? {} : { ca: [...rootCertificates, extraCa] }
  return createSecureContext({ secureOptions: constants.SSL_OP_NO_RENEGOTIATION, ...ca })
}

// A line break in a value would start another header.
function assertHeaders({ headers }: WebhookRequest): void {
  for (const [name, value] of Object.entries(headers)) {
    assert(/^[\x20-\x7e]*$/.test(value), `the header ${name} has an invalid character`)
  }
}

type Deadline = {
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly clear: () => void
}

// Not `AbortSignal.timeout`, whose timer can't be cleared when the attempt is over.
function startDeadline(timeoutMs: number): Deadline {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  return { timeoutMs, signal: controller.signal, clear: () => clearTimeout(timer) }
}

function outcomeOf(answered: Answered): Outcome {
  const { statusCode } = answered
  if (statusCode >= 200 && statusCode < 300) return { ...answered, error: null }
  const isRedirect = statusCode >= 300 && statusCode < 400
  return { ...answered, error: isRedirect ? 'redirect' : 'status' }
}
