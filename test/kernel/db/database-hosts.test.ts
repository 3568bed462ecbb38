// An address with several servers: each is tried once per request, and if none is available, the
// caller gets an error.
import { once } from 'node:events'
import { type AddressInfo, createServer, Socket } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { connect, type Database, type DatabaseOptions } from '../../../src/kernel/db/database.ts'
import { isDatabaseUnavailable } from '../../../src/kernel/db/database-errors.ts'
import { assertUsable } from '../../../src/start/open-storage.ts'
import { serverUrl } from '../../support/database.ts'
import { restartableProxy } from '../../support/database-proxy.ts'

// No one listens at the first ports.
const closed = ['127.0.0.1:1', '127.0.0.1:2', '127.0.0.1:3']

function connected(hosts: readonly string[], options: Partial<DatabaseOptions> = {}, query = '') {
  const url = `postgres://tillbook@${hosts.join(',')}/postgres${query}`
  // It is shared by all of them, and only ends what hangs, unless a test says otherwise.
  const database = connect({ url, poolSize: 1, connectMs: 240_000, ...options })
  onTestFinished(() => database.close())
  return database
}

async function realHost() {
  const { url, stop, start } = await restartableProxy(serverUrl())
  return { host: new URL(url).host, stop, start }
}

// One that takes connections and does this with each.
async function hostThat(act: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    act(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

// Tells every server that is dialled, in turn; nothing comes back from the silent ones.
function watchDials(silent: readonly string[] = []): string[] {
  const dialled: string[] = []
  const dial = Socket.prototype.connect
  const watching = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (
    this: Socket,
    ...given: unknown[]
  ) {
    const [port, host] = given as [number, string]
    dialled.push(`${host}:${port}`)
    if (!silent.includes(`${host}:${port}`)) return Reflect.apply(dial, this, given)
    // As it is while a connection is under way.
    Reflect.deleteProperty(this, 'write')
    return Object.assign(this, { connecting: true })
  })
  onTestFinished(() => watching.mockRestore())
  return dialled
}

// So long a time is over in a moment, the first time that someone waits for it.
function hurryOnce(waitedMs: number): void {
  const { setTimeout: start } = globalThis
  const timing = vi.spyOn(globalThis, 'setTimeout')
  let isOver = false
  timing.mockImplementation(((act: () => void, ms?: number, ...given: []) => {
    const isMeant = ms === waitedMs && !isOver
    isOver ||= isMeant
    return start(act, isMeant ? 1 : ms, ...given)
  }) as typeof setTimeout)
  onTestFinished(() => timing.mockRestore())
}

const closing: [string, (socket: Socket) => void][] = [
  ['closes at once', (socket) => socket.end()],
  ['closes when it is greeted', (socket) => socket.once('data', () => socket.end())],
  ['resets', (socket) => socket.once('data', () => socket.resetAndDestroy())],
]

describe('where no one is at any of them', () => {
  test.each<[string, (database: Database) => Promise<unknown>]>([
    ['a statement', ({ sql }) => sql`select 1`.execute()],
    ['a transaction', (database) => database.transaction((tx) => tx`select 1`)],
  ])('%s is told so, after each was dialled once, and so is the next', async (_, ask) => {
    const database = connected(closed)
    const dialled = watchDials()
    for (const _ of [1, 2]) {
      await expect(ask(database)).rejects.toSatisfy(isDatabaseUnavailable)
      expect(dialled.splice(0)).toEqual(closed)
    }
  })

  test('who wants to reserve a connection is told so', async () => {
    const { sql } = connected(closed)
    await expect(sql.reserve()).rejects.toSatisfy(isDatabaseUnavailable)
  })

  test('a start fails, and names them all', async () => {
    const usable = assertUsable(connected(closed))
    await expect(usable).rejects.toThrow(`at ${closed.join(',')} cannot be used`)
    await expect(usable).rejects.toThrow('ECONNREFUSED')
  })

  test('everybody who asks is told', async () => {
    const { sql } = connected(closed, { poolSize: 3 })
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => sql`select 1`))
    for (const one of asked) expect(one).toMatchObject({ reason: { code: 'ECONNREFUSED' } })
  })

  test.each(closing)('or each one %s, they are told too', async (_, act) => {
    const hosts = [await hostThat(act), await hostThat(act)]
    const { sql } = connected(hosts)
    const dialled = watchDials()
    await expect(sql`select 1`).rejects.toSatisfy(isDatabaseUnavailable)
    expect(dialled).toEqual(hosts)
  })

  test('or they say nothing, all of them share the time of one', async () => {
    const silent = closed.slice(0, 2)
    const { sql } = connected(silent, { connectMs: 1000 })
    const dialled = watchDials(silent)
    await expect(sql`select 1`).rejects.toMatchObject({ code: 'CONNECT_TIMEOUT' })
    expect(dialled).toEqual(silent)
  })

  test('nor any of the kind that is wanted, they are told', async () => {
    const hosts = [(await realHost()).host, (await realHost()).host]
    const { sql } = connected(hosts, {}, '?target_session_attrs=standby')
    const dialled = watchDials()
    await expect(sql`select 1`).rejects.toSatisfy(isDatabaseUnavailable)
    expect(dialled.filter((one) => hosts.includes(one))).toEqual(hosts)
  })
})

describe('where someone is at one of them', () => {
  test('it is found in the order of the address, at the first time of asking', async () => {
    const { host } = await realHost()
    const { sql } = connected([...closed, host], { poolSize: 2 })
    const answers = await Promise.all([1, 2, 3].map(() => sql`select 1 as one`))
    expect(answers).toEqual([1, 2, 3].map(() => [{ one: 1 }]))
  })

  test.each(closing)('it is found where the one before %s', async (_, act) => {
    const { host } = await realHost()
    const { sql } = connected([await hostThat(act), host])
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
  })

  test('it is found where the one before says nothing in its share of the time', async () => {
    const { host } = await realHost()
    const [silent = ''] = closed
    const { sql } = connected([silent, host], { connectMs: 100_000 })
    const dialled = watchDials([silent])
    hurryOnce(50_000)
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
    expect(dialled.slice(0, 2)).toEqual([silent, host])
  })

  test('all connections are made to the first that is there', async () => {
    const [first, second] = [await realHost(), await realHost()]
    const { sql } = connected([first.host, second.host], { poolSize: 4 })
    const dialled = watchDials()
    await Promise.all([1, 2, 3, 4].map(() => sql`select pg_sleep(0.1)`))
    expect(new Set(dialled.filter((one) => one.startsWith('127.0.0.1:')))).not.toContain(
      second.host,
    )
  })

  test('the next is found when it goes away, and it is found again when it comes back', async () => {
    const [first, second] = [await realHost(), await realHost()]
    const { sql } = connected([first.host, second.host])
    const ask = () => sql`select 1 as one`
    expect(await ask()).toEqual([{ one: 1 }])
    await first.stop()
    // The statement that meets the end of the connection may be told of it.
    expect(await ask().catch(ask)).toEqual([{ one: 1 }])
    await first.start()
    await second.stop()
    expect(await ask().catch(ask)).toEqual([{ one: 1 }])
  })
})
