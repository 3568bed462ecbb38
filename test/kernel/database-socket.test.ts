// A place in the pool works again, whatever the driver was about to send when its connection ended.
import type { Socket } from 'node:net'
import postgres from 'postgres'
import { expect, onTestFinished, test } from 'vitest'
import { splitSocket } from '../../src/kernel/db/database.ts'
import { socketMaker } from '../../src/kernel/db/database-socket.ts'
import { serverUrl } from '../support/database.ts'

// One place in the pool, with the sockets that were made for it.
function onePlace(onSocket: (socket: Socket) => void = () => undefined) {
  const make = socketMaker(40_000)
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
