// Connections to receivers. Each is made to an address that was vetted, under the name that the
// certificate must have, and nothing is written before both were seen to be so. One exchange at a
// time goes over it. Afterwards it is kept for the next one to the same address and name, but not
// for long: what was vetted may be somebody else's by then.
import { isIP } from 'node:net'
import { connect, type SecureContext, type TLSSocket } from 'node:tls'
import { normaliseAddress } from '../basics/address.ts'
import type { Target } from './egress-url.ts'

export type Connection = {
  readonly target: Target
  // Whether whoever was to be reached was: with the address and the certificate that they must
  // have. Before that nothing can have been sent.
  isReached(): boolean
  // Whether it has carried an answer before; the other side may then have closed it meanwhile.
  isReused(): boolean
  // Sends as soon as it may, and tells what comes back.
  send(text: string, hearer: Hearer): void
  // The answer is complete: the next one may have it.
  release(): void
  destroy(): void
}

export type Hearer = {
  onData(chunk: Buffer): void
  onClose(error: Error | undefined): void
}

export type Connections = {
  // One that was kept for any of them.
  take(targets: readonly Target[]): Connection | undefined
  // Given up when nobody is reached in the time, if one is said.
  open(target: Target, reachMs?: number): Connection
  // Ends what is idle, and keeps nothing any more. What is under way is left alone: an attempt that
  // is cut off by our own end would be logged as the receiver's failure.
  close(): void
}

export class WrongAddressError extends Error {}

// Together at most a minute for which a connection outlives the look at its address.
const idleMs = 30_000
const reuseMs = 30_000
// Of all receivers together; whichever has been idle for longest goes first.
const idleMaxDefault = 512
const sessionsMax = 1000
// Of a connection. Receivers give a few at its beginning; each costs as much as an answer.
const ticketsMax = 16

// The context is made for the first connection: it takes a while, and few commands need one.
export function createConnections(
  makeContext: () => SecureContext,
  idleMax = idleMaxDefault,
): Connections {
  const idle = createIdle(idleMax)
  const sessions = createSessions()
  let secureContext: SecureContext | undefined
  let isClosed = false

  function open(target: Target, reachMs?: number): Connection {
    const key = keyOf(target)
    secureContext ??= makeContext()
    const options = { ...tlsOptions(target), session: sessions.get(key), secureContext }
    const socket = givenUpAfter(reachMs, connect(options))
    let hearer: Hearer | null = null
    let unsent: string | null = null
    let isReady = false
    let isReused = false
    let isOld = false
    let failure: Error | undefined
    socket.setNoDelay(true)
    socket.setTimeout(idleMs, () => socket.destroy())
    const ageing = setTimeout(() => {
      isOld = true
    }, reuseMs).unref()
    const rest = () => {
      if (isClosed || isOld || socket.writableLength > 0 || socket.destroyed) socket.destroy()
      else {
        socket.unref()
        idle.add(key, connection)
      }
    }
    const connection: Connection = {
      target,
      isReached: () => isReady,
      isReused: () => isReused,
      send(text, next) {
        hearer = next
        socket.ref()
        if (isReady) socket.write(text)
        else unsent = text
      },
      release() {
        hearer = null
        isReused = true
        // That all was sent is told a turn of the loop later at most, and a quick answer can be
        // earlier. Who answers before it was may never take the rest, and the next would wait
        // behind it.
        if (socket.writableLength > 0) setImmediate(rest)
        else rest()
      },
      destroy: () => socket.destroy(),
    }
    socket.once('secureConnect', () => {
      isReady = normaliseAddress(socket.remoteAddress ?? '') === normaliseAddress(target.address)
      if (!isReady) socket.destroy(new WrongAddressError('connected to another address'))
      else if (unsent !== null) socket.write(unsent)
    })
    sessions.keepFrom(socket, key)
    socket.on('data', (chunk) => {
      // Of a connection that nobody uses nothing was asked.
      if (hearer) hearer.onData(chunk)
      else socket.destroy()
    })
    socket.on('error', (error) => {
      failure = error
      sessions.forget(key)
    })
    socket.once('close', () => {
      // It would hold on to the socket, and to what was sent, long after both are gone.
      clearTimeout(ageing)
      if (!isReady) sessions.forget(key)
      idle.remove(connection)
      hearer?.onClose(failure)
    })
    return connection
  }

  return {
    take: idle.take,
    open,
    close() {
      isClosed = true
      idle.clear()
    },
  }
}

function givenUpAfter(reachMs: number | undefined, socket: TLSSocket): TLSSocket {
  if (reachMs === undefined) return socket
  const timer = setTimeout(() => socket.destroy(), reachMs)
  for (const event of ['secureConnect', 'close']) socket.once(event, () => clearTimeout(timer))
  return socket
}

// By address and name together, so that one which was made for another address of the name is never
// taken. No look-up happens, because the host is an address already.
export function keyOf({ address, hostname, port }: Target): string {
  return `${address} ${port} ${hostname}`
}

function tlsOptions({ address, hostname, port }: Target) {
  return {
    host: address,
    port,
    servername: isIP(hostname) ? '' : hostname,
    ALPNProtocols: ['http/1.1'],
    // Whatever the environment of the process says.
    rejectUnauthorized: true,
  }
}

function createSessions() {
  const byKey = new Map<string, Buffer>()
  return {
    get: (key: string) => byKey.get(key),
    forget: (key: string) => byKey.delete(key),
    keepFrom(socket: TLSSocket, key: string) {
      let tickets = 0
      socket.on('session', (session) => {
        tickets += 1
        if (tickets > ticketsMax) socket.destroy()
        if (byKey.size >= sessionsMax) byKey.clear()
        byKey.set(key, session)
      })
    },
  }
}

function createIdle(max: number) {
  const byKey = new Map<string, Connection[]>()
  // With their keys, in the order in which they became idle.
  const all = new Map<Connection, string>()

  function remove(connection: Connection): void {
    const key = all.get(connection)
    if (key === undefined) return
    all.delete(connection)
    const same = byKey.get(key) ?? []
    same.splice(same.lastIndexOf(connection), 1)
    if (same.length === 0) byKey.delete(key)
  }

  function destroy(connection: Connection): void {
    remove(connection)
    connection.destroy()
  }

  return {
    remove,
    add(key: string, connection: Connection) {
      all.set(connection, key)
      const same = byKey.get(key)
      if (same) same.push(connection)
      else byKey.set(key, [connection])
      const [oldest] = all.size > max ? all.keys() : []
      if (oldest) destroy(oldest)
    },
    take(targets: readonly Target[]): Connection | undefined {
      for (const target of targets) {
        const newest = byKey.get(keyOf(target))?.at(-1)
        if (!newest) continue
        remove(newest)
        return newest
      }
      return undefined
    },
    clear() {
      for (const connection of [...all.keys()]) destroy(connection)
    },
  }
}
