// The one door through which webhooks leave. Each request goes to an address that was vetted for
// it, under the name that the certificate must have; it follows nothing, waits no longer than its
// deadline for the status line, which decides, and reads little of what comes after.

import { constants } from 'node:crypto'
import type { Resolver } from 'node:dns/promises'
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'
import { assert } from '../basics/assert.ts'
import { type Clock, systemClock } from '../basics/clock.ts'
import { assertNoTransaction } from '../db/transaction.ts'
import { createAnswerReader } from './answer-reader.ts'
import { type Connection, createConnections, WrongAddressError } from './connections.ts'
import { type Allowed, nothingAllowed } from './egress-address.ts'
import { createVet, type Target, targetsMax, type Vet } from './egress-url.ts'
import { createPassedOver } from './passed-over.ts'
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
  readonly clock?: Clock
}

// Connections on which a body is still to come. Nobody waits for it, so neither places nor lanes
// bound these: receivers that never send what they announce would pile them up until the deadline.
const bodiesMax = 128

export function createEgress({
  allowed = nothingAllowed,
  extraCa,
  resolver,
  clock = systemClock,
}: EgressOptions = {}) {
  const vet = createVet(allowed, clock, resolver)
  const connections = createConnections(() => secureContextWith(extraCa))
  const bodies = createBodies()
  const passedOver = createPassedOver(clock)

  async function post(url: string, message: WebhookRequest, timeoutMs: number): Promise<Outcome> {
    assertNoTransaction('a webhook was sent')
    const deadline = startDeadline(timeoutMs)
    const vetted = await vet(url, deadline)
    if ('problem' in vetted) {
      deadline.clear()
      if (deadline.isOver) return failed('timeout')
      const { problem } = vetted
      return failed(problem === 'form' ? 'url' : problem === 'address' ? 'address' : 'name')
    }
    const { targets } = vetted
    const text = requestText(targets[0], message)
    const kept = connections.take(targets)
    if (kept) {
      const first = await exchange(kept, text, deadline, bodies)
      if (typeof first !== 'string') return first
      // A kept connection may have been closed by the other side at the moment of its use. Nothing
      // was answered on it, so this is the same attempt on a new one, to nobody else: who closed it
      // may have taken the request.
      const second = await exchange(connections.open(kept.target), text, deadline, bodies)
      return typeof second === 'string' ? unanswered(deadline) : second
    }
    const inTurn = passedOver.inTurn(targets)
    for (const target of inTurn) {
      // The last one has all the time that is left.
      const isLast = target === inTurn.at(-1)
      const opened = connections.open(target, isLast ? undefined : timeoutMs / targetsMax)
      const outcome = await exchange(opened, text, deadline, bodies)
      if (typeof outcome !== 'string') return outcome
      if (!isLast) passedOver.add(target)
    }
    return unanswered(deadline)
  }

  return { vet, post, close: connections.close } satisfies Egress
}

// A receiver could otherwise have us shake hands without end on one connection.
function secureContextWith(extraCa: string | undefined): SecureContext {
  const ca = extraCa === undefined ? {} : { ca: [...rootCertificates, extraCa] }
  return createSecureContext({ secureOptions: constants.SSL_OP_NO_RENEGOTIATION, ...ca })
}

function requestText({ path, host }: Target, { headers, body }: WebhookRequest): string {
  let text = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\n`
  for (const [name, value] of Object.entries(headers)) {
    // Otherwise a value could begin a header of its own.
    assert(/^[\x20-\x7e]*$/.test(value), `the header ${name} has characters that none may have`)
    text += `${name}: ${value}\r\n`
  }
  return `${text}content-length: ${Buffer.byteLength(body)}\r\nconnection: keep-alive\r\n\r\n${body}`
}

// Why another connection may be tried: this one was kept and had been closed, or nobody was there
// and shook hands. A certificate or a language that is wrong is not passed over: that somebody else
// is at one of the addresses is for people to know and to mend.
type Unanswered = 'stale' | 'unreached'

function exchange(
  connection: Connection,
  text: string,
  deadline: Deadline,
  bodies: Bodies,
): Promise<Outcome | Unanswered> {
  const { promise, resolve } = Promise.withResolvers<Outcome | Unanswered>()
  const reader = createAnswerReader()
  let isAnswered = false
  deadline.onEnd = () => {
    resolve(failed('timeout'))
    connection.destroy()
  }
  connection.send(text, {
    onData(chunk) {
      isAnswered = true
      const answer = reader.read(chunk)
      if (answer.state === 'head') return
      resolve(answer.state === 'garbage' ? failed('protocol') : outcomeOf(answer.statusCode))
      if (answer.state === 'body') {
        bodies.begin(connection)
        return
      }
      bodies.end(connection)
      deadline.clear()
      if (answer.state === 'end') connection.release()
      else connection.destroy()
    },
    onClose(error) {
      bodies.end(connection)
      const failure = failureOf(error)
      if (!deadline.isOver && !isAnswered) {
        if (connection.isReused()) return resolve('stale')
        if (!connection.isReached() && failure === 'connection') return resolve('unreached')
      }
      deadline.clear()
      resolve(failed(failure))
    },
  })
  return promise
}

type Bodies = { begin(connection: Connection): void; end(connection: Connection): void }

// Whichever has kept us waiting for longest goes first: what is on its way is there in a moment.
function createBodies(): Bodies {
  const expected = new Set<Connection>()
  return {
    begin(connection) {
      expected.add(connection)
      const [oldest] = expected.size > bodiesMax ? expected : []
      if (!oldest) return
      expected.delete(oldest)
      oldest.destroy()
    },
    end: (connection) => expected.delete(connection),
  }
}

// Of an attempt, whatever it waits for at that moment. `AbortSignal.timeout` would go off even for
// attempts that ended long before, since it cannot be called off.
type Deadline = {
  isOver: boolean
  readonly signal: AbortSignal
  onEnd(): void
  clear(): void
}

function startDeadline(timeoutMs: number): Deadline {
  let controller: AbortController | undefined
  const timer = setTimeout(() => {
    deadline.isOver = true
    controller?.abort()
    deadline.onEnd()
  }, timeoutMs)
  const deadline: Deadline = {
    isOver: false,
    // Made only for whoever asks, since it costs more than all timers of an attempt.
    get signal() {
      controller ??= new AbortController()
      return controller.signal
    },
    onEnd: () => undefined,
    clear: () => clearTimeout(timer),
  }
  return deadline
}

function unanswered(deadline: Deadline): Outcome {
  deadline.clear()
  return failed('connection')
}

function outcomeOf(statusCode: number): Outcome {
  if (statusCode >= 200 && statusCode < 300) return { statusCode, error: null }
  const error = statusCode >= 300 && statusCode < 400 ? 'redirect' : 'status'
  return { statusCode, error }
}

function failed(error: Failure): Outcome {
  return { statusCode: null, error }
}

// Nothing was wrong with a connection that was merely closed, except that no answer came.
function failureOf(error: Error | undefined): Failure {
  if (error instanceof WrongAddressError) return 'address'
  const code = error && 'code' in error ? String(error.code) : ''
  return /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_|EPROTO)/.test(code)
    ? 'tls'
    : 'connection'
}
