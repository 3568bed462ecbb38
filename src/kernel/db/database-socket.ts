// The connection below the driver, which waits for an answer as long as the network lets it: a
// server whose machine vanished, or a proxy that swallows everything, would hold a connection of
// the pool, and a caller, for a quarter of an hour. A healthy server says something well before
// this limit, if only that a statement took too long; the driver itself closes what is idle.
import { Socket } from 'node:net'

export type SocketAddress = {
  readonly host: readonly string[]
  readonly port: readonly number[]
  readonly path?: string | false | undefined
}

// For the option `socket` of the driver, which then does not connect by itself.
export function socketMaker(silenceMs: number): (address: SocketAddress) => Socket {
  let attempts = 0
  return ({ host, port, path }) => {
    const socket = endWhenSilent(new Socket(), silenceMs)
    if (path) return socket.connect(path)
    // Several servers are tried in turn, as the driver does.
    const index = attempts % host.length
    attempts += 1
    const place = { host: host[index] ?? 'localhost', port: port[index] ?? 5432 }
    // The driver reads these for the name in the certificate, and for its messages.
    return Object.assign(socket, place).connect(place.port, place.host)
  }
}

// Ended without an error: the driver then tells every query that waits that its connection was
// closed. It takes all listeners off before it speaks TLS through the socket, so ours comes back.
function endWhenSilent(socket: Socket, silenceMs: number): Socket {
  const end = () => {
    socket.destroy()
  }
  const removeAll = socket.removeAllListeners.bind(socket)
  socket.removeAllListeners = (event) => removeAll(event).on('timeout', end)
  return socket.setTimeout(silenceMs, end)
}
