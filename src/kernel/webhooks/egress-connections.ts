// Connections to receivers. Each goes to a vetted address, and is handed to undici only after the
// certificate and the remote address were checked. It carries one request at a time. Afterwards it
// is kept for the next request to the same address and host name, for a minute at most: the address
// may belong to someone else by then.
import { isIP } from 'node:net'
import { connect, type SecureContext, type TLSSocket } from 'node:tls'
import { Client } from 'undici'
import { normaliseAddress } from '../basics/address.ts'
import type { Clock } from '../basics/clock.ts'
import { EgressError } from './egress-failure.ts'
import type { Target } from './egress-url.ts'

export type Connection = {
  readonly key: string
  readonly target: Target
  readonly client: Client
  readonly socket: TLSSocket
  readonly openedMs: number
  // How many pieces of the current answer have arrived.
  pieces: number
}

export type Connections = {
  // An idle connection to one of the targets.
  take(targets: readonly Target[]): Connection | undefined
  // Rejects when the handshake takes longer, if a time is given.
  open(target: Target, signal: AbortSignal, handshakeMs?: number): Promise<Connection>
  // Keeps a connection, for reuse as soon as its answer has ended.
  keep(connection: Connection, answerEnded: Promise<unknown>): void
  // Closes idle connections, and keeps none from now on.
  close(): void
}

export type KeepAlive = {
  // A connection is reused for so long after it was opened, and closed after as long without use.
  readonly ms: number
  // Idle connections and those whose body is still to come, to all receivers together. The oldest
  // is closed first. Without a bound, receivers that never send the body that they announce could
  // make us hold any number of connections.
  readonly max: number
}

const keepAliveDefault: KeepAlive = { ms: 30_000, max: 1024 }
const headBytesMax = 16 * 1024
// Each piece costs about as much as a whole answer, and honest receivers send a handful.
const piecesMax = 200

export function createConnections(
  makeSecureContext: () => SecureContext,
  clock: Clock,
  keepAlive = keepAliveDefault,
): Connections {
  // All that are kept, the oldest first, and those of them that are idle, by their key.
  const kept = new Set<Connection>()
  const idle = new Map<string, Connection[]>()
  // Made for the first connection: it takes a while, and few commands need one.
  let secureContext: SecureContext | undefined
  let isClosed = false

  function discard(connection: Connection): void {
    connection.socket.destroy()
    kept.delete(connection)
    const others = idle.get(connection.key)?.filter((one) => one !== connection) ?? []
    if (others.length > 0) idle.set(connection.key, others)
    else idle.delete(connection.key)
  }

  function release(connection: Connection): void {
    if (isClosed) discard(connection)
    if (!kept.has(connection)) return
    const others = idle.get(connection.key)
    if (others) others.push(connection)
    else idle.set(connection.key, [connection])
  }

  return {
    take(targets) {
      const expiredMs = clock.monotonicMs() - keepAlive.ms
      for (const target of targets) {
        const connections = idle.get(keyOf(target)) ?? []
        for (let newest = connections.pop(); newest; newest = connections.pop()) {
          kept.delete(newest)
          if (newest.openedMs > expiredMs && !newest.socket.destroyed) return newest
          newest.socket.destroy()
        }
      }
      return undefined
    },
    async open(target, signal, handshakeMs) {
      signal.throwIfAborted()
      secureContext ??= makeSecureContext()
      const socket = await dial(target, secureContext, signal, handshakeMs)
      const connection = {
        key: keyOf(target),
        target,
        client: clientOver(socket, target, keepAlive),
        socket,
        openedMs: clock.monotonicMs(),
        pieces: 0,
      }
      countPieces(connection)
      socket.once('close', () => discard(connection))
      return connection
    },
    keep(connection, answerEnded) {
      kept.add(connection)
      const [oldest] = kept.size > keepAlive.max ? kept : []
      if (oldest) discard(oldest)
      void answerEnded.then(() => release(connection))
    },
    close() {
      isClosed = true
      for (const connection of [...idle.values()].flat()) discard(connection)
    },
  }
}

// A connection that was made for another address of the name is never reused.
function keyOf({ address, hostname, port }: Target): string {
  return `${address} ${port} ${hostname}`
}

// Resolves when the handshake is complete. No name is looked up, since the host is an address.
function dial(
  { address, hostname, port }: Target,
  secureContext: SecureContext,
  signal: AbortSignal,
  handshakeMs: number | undefined,
): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>()
  const socket = connect({
    host: address,
    port,
    servername: isIP(hostname) ? '' : hostname,
    ALPNProtocols: ['http/1.1'],
    secureContext,
    // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
    rejectUnauthorized: true,
  })
  const giveUp = () => socket.destroy(new EgressError('connection'))
  const timer = handshakeMs === undefined ? undefined : setTimeout(giveUp, handshakeMs)
  signal.addEventListener('abort', giveUp)
  socket.setNoDelay(true)
  socket.once('secureConnect', () => {
    const isVetted = normaliseAddress(socket.remoteAddress ?? '') === normaliseAddress(address)
    if (isVetted) resolve(socket)
    else socket.destroy(new EgressError('address'))
  })
  socket.once('error', (error) => {
    // After the handshake Node leaves this to us.
    socket.destroy()
    reject(error)
  })
  socket.once('close', () => reject(new EgressError('connection')))
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
  })
}

// undici over one connection. When that ends, the client does not make another: only vetted
// addresses are dialled, and the caller decides whether to.
function clientOver(socket: TLSSocket, { host }: Target, { ms }: KeepAlive): Client {
  let isHandedOver = false
  return new Client(`https://${host}`, {
    connect(_, done) {
      const isSecond = isHandedOver
      isHandedOver = true
      // The client ignores a callback that comes before this function returns.
      queueMicrotask(() =>
        isSecond ? done(new EgressError('connection'), null) : done(null, socket),
      )
    },
    maxHeaderSize: headBytesMax,
    keepAliveTimeout: ms,
    keepAliveMaxTimeout: ms,
    // The deadline of the attempt covers both; undici's own timers are coarse.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

// Before undici reads what has arrived.
function countPieces(connection: Connection): void {
  const { socket } = connection
  socket.on('readable', () => {
    if (socket.readableLength > 0) connection.pieces += 1
    if (connection.pieces > piecesMax) socket.destroy(new EgressError('protocol'))
  })
}
