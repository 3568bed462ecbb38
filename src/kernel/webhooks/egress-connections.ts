// Connections to receivers. Each goes to a vetted address, and is passed to undici only after the
// certificate and the remote address were checked. It has one request at a time. Afterwards it is
// kept for the next request to the same address and host name, for a minute at most, since the
// address may then belong to someone else.
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
  // How many chunks of the current response have arrived.
  pieces: number
}

export type Connections = {
  // An idle connection to one of the targets.
  take(targets: readonly Target[]): Connection | undefined
  // Rejects if the handshake takes longer than the given time.
  open(target: Target, signal: AbortSignal, handshakeMs?: number): Promise<Connection>
  // Keeps a connection for reuse once its response has ended.
  keep(connection: Connection, answerEnded: Promise<unknown>): void
  // Closes idle connections, and keeps no more.
  close(): void
}

export type KeepAlive = {
  // For how long after opening a connection is reused, and after how long without use it is closed.
  readonly ms: number
  // Idle connections and those whose body has not ended, of all receivers together. The oldest is
  // closed first. Without a limit, receivers that never send the announced body could make us hold
  // any number of connections.
  readonly max: number
}

const keepAliveDefault: KeepAlive = { ms: 30_000, max: 1024 }
const headBytesMax = 16 * 1024
// Each chunk costs about as much as a whole response, and honest receivers send a handful.
const piecesMax = 200

export function createConnections(
  makeSecureContext: () => SecureContext,
  clock: Clock,
  keepAlive = keepAliveDefault,
): Connections {
  // All kept connections, the oldest first, and the idle ones by their key.
  const kept = new Set<Connection>()
  const idle = new Map<string, Connection[]>()
  // Created for the first connection: it takes a while, and few commands need one.
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

// A connection to another address of the same name is never reused.
function keyOf({ address, hostname, port }: Target): string {
  return `${address} ${port} ${hostname}`
}

// Resolves when the handshake is complete. The host is an address, so no name is resolved.
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
    // Regardless of NODE_TLS_REJECT_UNAUTHORIZED.
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
    // After the handshake, Node leaves this to us.
    socket.destroy()
    reject(error)
  })
  socket.once('close', () => reject(new EgressError('connection')))
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
  })
}

// undici on one connection. When it ends, the client does not open another: only vetted addresses
// are dialled, and the caller decides.
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

// Before undici reads the data.
function countPieces(connection: Connection): void {
  const { socket } = connection
  socket.on('readable', () => {
    if (socket.readableLength > 0) connection.pieces += 1
    if (connection.pieces > piecesMax) socket.destroy(new EgressError('protocol'))
  })
}
