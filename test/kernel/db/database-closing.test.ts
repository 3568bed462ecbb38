// A server, or a proxy in front of one, that accepts connections and closes them.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../../src/kernel/db/database.ts'
import { isDatabaseUnavailable } from '../../../src/kernel/db/database-errors.ts'

// AuthenticationOk, after which a server says that it is ready.
const letIn = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0])

test.each([
  ['at once', (socket: Socket) => socket.end()],
  ['after the first answer', (socket: Socket) => socket.end(letIn)],
  ['with a reset', (socket: Socket) => socket.resetAndDestroy()],
])(
  'a server that takes the greeting and closes %s is asked once, and told of',
  async (_, close) => {
    const { url, connections } = await serverThat(close)
    const database = connect({ url, poolSize: 1 })
    onTestFinished(() => database.close())
    await expect(database.sql`select 1`).rejects.toSatisfy(isDatabaseUnavailable)
    expect(connections()).toBe(1)
    const begun = database.transaction((tx) => tx`select 1`)
    await expect(begun).rejects.toSatisfy(isDatabaseUnavailable)
    expect(connections()).toBe(2)
  },
)

async function serverThat(close: (socket: Socket) => void) {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.on('error', () => undefined)
    socket.once('data', () => close(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `postgres://tillbook@127.0.0.1:${port}/any`, connections: () => connections }
}
