// A place in the pool works again, whatever the driver was about to send when its connection ended.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import postgres from 'postgres'
import { expect, onTestFinished, test } from 'vitest'
import { connect, isDatabaseUnavailable, splitSocket } from '../../../src/kernel/db/database.ts'
import { socketMaker } from '../../../src/kernel/db/database-socket.ts'
import { isRunning, serverUrl } from '../../support/database.ts'
import { eventually } from '../../support/processes.ts'

// One place in the pool, with the sockets that were made for it.
function onePlace(onSocket: (socket: Socket) => void = () => undefined) {
  const make = socketMaker(40_000, 10_000)
  const sockets: Socket[] = []
  const { url, path } = splitSocket(serverUrl('postgres'))
  const options = {
    ...(path && { path }),
    max: 1,
    connect_timeout: 10,
    socket(address: Parameters<typeof make>[0]) {
      const socket = make(address)
      sockets.push(socket)
      onSocket(socket)
      return socket
    },
  }
  const sql = postgres(url, options)
  onTestFinished(() => sql.end({ timeout: 0 }))
  return { sql, sockets }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('a statement that was about to be sent does not hold up the next connection', async () => {
  const { sql, sockets } = onePlace()
  await sql`select 1`
  await nextTurn()
  // From here the socket closes in this turn, and the statement would be sent in the next.
  sockets[0]?.destroy()
  await expect(sql`select 'lost'`).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
})

test('greetings that were not sent are not sent with the next one', async () => {
  let ended = 0
  const { sql, sockets } = onePlace((socket) => {
    if (ended === 3) return
    ended += 1
    // Before the driver's own turn.
    setImmediate(() => socket.destroy())
  })
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
  expect(sockets.filter(({ bytesWritten }) => bytesWritten > 0)).toHaveLength(1)
})

test('a request to cancel a statement is answered by a connection that closes', async () => {
  const { sql } = onePlace()
  const slow = sql`select pg_sleep(30) as slow_without_tls`.execute()
  const lost = expect(slow).rejects.toMatchObject({ code: '57014' })
  await eventually(() => isRunning('slow_without_tls'))
  await slow.cancel()
  await lost
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
})

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

// As a proxy is whose database is away.
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
