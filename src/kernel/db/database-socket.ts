// The connection below the driver (postgres.js 3.4.9), and what it must be spared there:
// - It waits for an answer as long as the network lets it: a server whose machine vanished, or a
//   proxy that swallows everything, would hold a connection of the pool, and a caller, for a
//   quarter of an hour. A healthy server says something well before this limit, if only that a
//   statement took too long; the driver itself closes what is idle.
// - When a connection is lost, it keeps what it had not sent by then, and believes for ever that it
//   is being sent. The next connection in that place of the pool stays silent until its greetings,
//   one for each attempt, fill a buffer behind those remains, and all of it goes out at once:
//   `invalid frontend message type 0`, says the server.
// - It tells the queries that wait of an error as soon as it hears of it, but takes the connection
//   from the pool only when that is closed. What is sent in between would wait for ever, or be
//   answered with what somebody else asked, because only a close without an error ends it.
// - When a connection closes before the server has let us in, and without an error, it makes
//   another at once, and so on without a pause and without an end, as long as a server or a proxy
//   takes connections and closes them; whoever asked for it hears nothing.
import { EventEmitter } from 'node:events'
import { Socket } from 'node:net'
import { type Hosts, oneHost, severalHosts } from './database-hosts.ts'

export type SocketAddress = {
  readonly host: readonly string[]
  readonly port: readonly number[]
  readonly path?: string | false | undefined
  // `direct` begins with TLS; every other connection begins with a greeting.
  readonly sslnegotiation?: string | null | undefined
}

// For the option `socket` of the driver, which then does not connect by itself. Zero is no limit
// for silence; the one for connecting is shared by all servers of the address.
export function socketMaker(
  silenceMs: number,
  connectMs: number,
): (address: SocketAddress) => Socket {
  let hosts: Hosts | undefined
  return ({ host, port, path, sslnegotiation }) => {
    hosts ??= host.length > 1 && !path ? severalHosts(host) : oneHost
    const known = hosts
    const socket = closeWithoutError(endWhenSilent(new Socket(), silenceMs))
    const open = () => {
      if (path) return socket.connect(path)
      const index = known.indexFor(socket)
      const place = { host: host[index] ?? 'localhost', port: port[index] ?? 5432 }
      // The driver reads these for the name in the certificate, and for its messages.
      Object.assign(socket, place)
      if (host.length > 1) giveUpAfter(connectMs / host.length, socket)
      return socket.connect(place.port, place.host)
    }
    return sslnegotiation === 'direct'
      ? tellOfClose(open(), known)
      : openWhenGreeted(socket, () => tellOfClose(open(), known))
  }
}

// Of several servers, one that says nothing is passed over as one that refuses is. For one alone
// the driver has the same limit, after which it asks nobody else.
function giveUpAfter(ms: number, socket: Socket): void {
  const timer = setTimeout(() => {
    const error = new Error('the server did not take the connection in time')
    socket.destroy(Object.assign(error, { code: 'CONNECT_TIMEOUT' }))
  }, ms)
  // The driver may take off what clears it, and nobody is to wait for it then.
  timer.unref()
  for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(timer))
}

// Ended without an error: the driver then tells every query that waits that its connection was
// closed.
//
// The driver takes all listeners off before it speaks TLS through the socket, and then listens to
// the socket for TLS. The limit for silence stays, and so does whom `tellOfClose` tells: this one
// closes first, and the other in the same turn, before anybody can act. Were the driver to hear of
// the first as well, it would drop whoever waits for the second, such as the end of the pool.
function endWhenSilent(socket: Socket, silenceMs: number): Socket {
  const removeAll = socket.removeAllListeners.bind(socket)
  let isBelowTls = false
  socket.removeAllListeners = () => {
    isBelowTls = true
    for (const event of ['close', 'data', 'drain']) removeAll(event)
    return socket
  }
  return socket.setTimeout(silenceMs, () => {
    // Only the socket for TLS listens then, and ends. Were it to learn of this when the system has
    // closed the connection, what is sent until then would be written to what is no longer there,
    // which is an error that nobody listens for.
    if (isBelowTls) EventEmitter.prototype.emit.call(socket, 'close')
    socket.destroy()
  })
}

function closeWithoutError(socket: Socket): Socket {
  const emit = socket.emit.bind(socket)
  const emitPlainly = (event: string, ...args: unknown[]) =>
    event === 'close' ? emit('close', false) : emit(event, ...args)
  socket.emit = emitPlainly as Socket['emit']
  return socket
}

// Whoever waits is told in the same turn in which the connection leaves the pool, so nothing is
// sent in between. Where nobody waits, as after an error of which they were told, this says
// nothing. Only the driver's own listener is told, which is the first: a request to cancel a
// statement listens as well, and has no other answer than that the connection closes.
function tellOfClose(socket: Socket, hosts: Hosts): Socket {
  const emit = socket.emit.bind(socket)
  const emitTelling = (event: string, ...args: unknown[]) => {
    if (event === 'error') return hosts.tell(socket, () => emit(event, ...args))
    if (event === 'close') {
      hosts.tell(socket, () => socket.listeners('error')[0]?.(closedError()))
      hosts.end(socket)
    }
    return emit(event, ...args)
  }
  socket.emit = emitTelling as Socket['emit']
  return socket
}

// With the code that the driver gives to a connection that closes later.
function closedError(): Error {
  const error = new Error('the connection to the database was closed')
  return Object.assign(error, { code: 'CONNECTION_CLOSED' })
}

// The driver greets at the next turn of the event loop. Where it does not, it is stuck in the way
// told above, and a connection that closes has it try again, until it sends all that it has kept.
// Of that only the last greeting is for this connection; nobody waits for the rest any more.
function openWhenGreeted(socket: Socket, open: () => Socket): Socket {
  let isGreeted = false
  const greet = (chunk: Uint8Array, ...rest: unknown[]) => {
    isGreeted = true
    // This also gives the socket its own `write` back.
    open()
    return Reflect.apply(socket.write, socket, [lastGreeting(chunk), ...rest])
  }
  socket.write = greet as Socket['write']
  setImmediate(() => setImmediate(() => isGreeted || socket.destroy()))
  return socket
}

const greetings = new Set([
  196_608, // version 3.0 of the protocol
  80_877_103, // a request for TLS
  80_877_102, // a request to cancel a statement
])

// A greeting begins with its length and one of these numbers.
function lastGreeting(chunk: Uint8Array): Uint8Array {
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  for (let start = chunk.length - 8; start > 0; start -= 1) {
    const isWhole = view.getUint32(start) === chunk.length - start
    if (isWhole && greetings.has(view.getUint32(start + 4))) return chunk.subarray(start)
  }
  return chunk
}
