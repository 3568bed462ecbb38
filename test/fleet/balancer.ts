// What stands before several api processes: hands each connection to the next of them, and to
// another if that one does not take it.
import { createServer, connect as dialPort, type Socket } from 'node:net'
import { freePort } from '../support/processes.ts'

export async function startBalancer(ports: () => readonly number[]) {
  const port = await freePort()
  const sockets = new Set<Socket>()
  let turn = 0
  const listener = createServer((client) => {
    keep(sockets, client)
    turn += 1
    const inOrder = ports().map((_, index, all) => all[(index + turn) % all.length] ?? 0)
    handTo(client, inOrder, sockets)
  })
  await new Promise<void>((settle) => listener.listen(port, '127.0.0.1', settle))
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((settle) => listener.close(settle))
    },
  }
}

function handTo(client: Socket, [port, ...others]: readonly number[], sockets: Set<Socket>): void {
  if (port === undefined) {
    client.destroy()
    return
  }
  const server = dialPort(port, '127.0.0.1')
  keep(sockets, server)
  server.once('connect', () => {
    server.on('close', () => client.destroy())
    client.on('close', () => server.destroy())
    client.pipe(server).pipe(client)
  })
  server.once('error', () => {
    if (server.connecting || server.bytesWritten === 0) handTo(client, others, sockets)
  })
}

function keep(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket)
  socket.on('error', () => undefined)
  socket.on('close', () => sockets.delete(socket))
}
