// A transaction that loses its connection ends, harms no one else's, and leaves a working pool.
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createAuth } from '../../../src/kernel/auth/people-auth.ts'
import { createSecrets } from '../../../src/kernel/auth/secrets.ts'
import { databaseInside } from '../../../src/kernel/db/database.ts'
import { isDatabaseUnavailable } from '../../../src/kernel/db/database-errors.ts'
import { assertNoTransaction } from '../../../src/kernel/db/transaction.ts'
import { databaseForThisTest, type TestDatabase } from '../../support/database.ts'
import { databaseBehindProxy } from '../../support/database-proxy.ts'
import { peopleWorld, secretsKey } from '../../support/people.ts'

// It only ends what hangs.
const connectMs = 240_000

async function behindProxy() {
  const proxy = await databaseBehindProxy({ poolSize: 1, connectMs })
  onTestFinished(() => proxy.database.drop())
  await proxy.database.sql`create table public.notes (text text)`
  const notes = async () => {
    const rows = await proxy.database.sql<{ text: string }[]>`
      select text
      from public.notes
      order by text`
    return rows.map(({ text }) => text)
  }
  return { ...proxy, notes }
}

test.each(['closed', 'reset'] as const)(
  'a connection that is %s during a statement fails the transaction, and the pool goes on',
  async (how) => {
    const { database, cut, notes } = await behindProxy()
    const lost = database.transaction(async (tx) => {
      await tx`insert into public.notes values ('lost')`
      setTimeout(() => cut(how), 100)
      await tx`select pg_sleep(30)`
    })
    await expect(lost).rejects.toSatisfy(isDatabaseUnavailable)
    for (const text of ['a', 'b']) {
      await database.transaction((tx) => tx`insert into public.notes values (${text})`)
    }
    expect(await notes()).toEqual(['a', 'b'])
  },
)

test.each(['closed', 'reset'] as const)(
  'a connection that is %s in a part of a transaction fails all of it, and the pool goes on',
  async (how) => {
    const { database, cut, notes } = await behindProxy()
    const lost = database.transaction(async (tx) => {
      await databaseInside(tx).transaction(async (part) => {
        await part`insert into public.notes values ('lost')`
        setTimeout(() => cut(how), 100)
        await databaseInside(part).transaction((inner) => inner`select pg_sleep(30)`)
      })
    })
    await expect(lost).rejects.toSatisfy(isDatabaseUnavailable)
    await database.transaction((tx) => tx`insert into public.notes values ('kept')`)
    expect(await notes()).toEqual(['kept'])
  },
)

test.each(['closed', 'reset'] as const)(
  'a query right after all connections are %s gets an answer',
  async (how) => {
    const { database, cut } = await databaseBehindProxy({ poolSize: 3, connectMs })
    onTestFinished(() => database.drop())
    const ask = async (number: number): Promise<unknown> => {
      try {
        return await database.sql`select ${number}::integer as number`
      } catch (error) {
        expect(error).toSatisfy(isDatabaseUnavailable)
        return ask(number)
      }
    }
    const numbers = [1, 2, 3]
    // All three are open: a connection that is new would take no one else's statement yet.
    await Promise.all(numbers.map(() => database.sql`select pg_sleep(0.1)`))
    const asked = numbers.map((number) =>
      database.sql`select pg_sleep(30)`.catch(() => ask(number)),
    )
    await delay(300)
    cut(how)
    expect(await Promise.all(asked)).toEqual(numbers.map((number) => [{ number }]))
  },
)

test('work that goes on after the loss cannot write into the next transaction', async () => {
  const { database, cut, notes } = await behindProxy()
  const gate = Promise.withResolvers<void>()
  const after = Promise.withResolvers<unknown>()
  const lost = database.transaction(async (tx) => {
    await tx`insert into public.notes values ('lost')`
    cut('closed')
    await gate.promise
    const insert = (async () => tx`insert into public.notes values ('ghost')`)()
    await insert.then(after.resolve, after.resolve)
  })
  await expect(lost).rejects.toSatisfy(isDatabaseUnavailable)
  await database
    .transaction(async (tx) => {
      await tx`insert into public.notes values ('next')`
      gate.resolve()
      expect(await after.promise).toMatchObject({ code: 'CONNECTION_CLOSED' })
      // Were the lost one to commit now, this would be kept.
      await delay(50)
      throw new Error('given up')
    })
    .catch((error: Error) => expect(error.message).toBe('given up'))
  expect(await notes()).toEqual([])
})

test('a backend that the server ends is told as unavailable', async () => {
  const database = await databaseForThisTest()
  const lost = database.transaction(async (tx) => {
    const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    setTimeout(() => database.sql`select pg_terminate_backend(${row?.pid ?? 0})`.execute(), 50)
    await tx`select pg_sleep(30)`
  })
  await expect(lost).rejects.toSatisfy(isDatabaseUnavailable)
  expect(await database.transaction((tx) => tx`select 1 as one`)).toEqual([{ one: 1 }])
})

async function authBehindProxy() {
  const proxy = await behindProxy()
  const { adapter } = await (await authOn(proxy.database)).$context
  const visit = (identifier: string) => ({
    model: 'verification',
    data: { identifier, value: 'a', expiresAt: new Date(), ...createdNow() },
  })
  const kept = async () => {
    const rows = await proxy.database.sql<{ identifier: string }[]>`
      select identifier
      from kernel.verifications`
    return rows.map(({ identifier }) => identifier)
  }
  return { ...proxy, adapter, visit, kept }
}

const createdNow = () => ({ createdAt: new Date(), updatedAt: new Date() })

async function authOn(database: TestDatabase) {
  const { context } = await peopleWorld(database)
  const options = { publicUrl: 'https://books.example', secret: 'a'.repeat(44) }
  return createAuth(context, { ...options, secrets: createSecrets([secretsKey]) })
}

test('a transaction of better-auth that waits while the connection is lost begins on the next', async () => {
  const { database, cut, adapter, visit, kept } = await authBehindProxy()
  const lost = database.transaction((tx) => tx`select pg_sleep(30)`)
  await delay(100)
  const waiting = adapter.transaction((transaction) => transaction.create(visit('kept')))
  await delay(100)
  cut('closed')
  await expect(lost).rejects.toSatisfy(isDatabaseUnavailable)
  await waiting
  const undone = adapter.transaction(async (transaction) => {
    await transaction.create(visit('undone'))
    throw new Error('given up')
  })
  await expect(undone).rejects.toThrow('given up')
  expect(await kept()).toEqual(['kept'])
})

test('a transaction of better-auth that loses its connection fails, and the pool goes on', async () => {
  const { cut, adapter, visit, kept } = await authBehindProxy()
  const lost = adapter.transaction(async (transaction) => {
    await transaction.create(visit('lost'))
    cut('closed')
    await delay(100)
    await transaction.create(visit('late'))
  })
  await expect(lost).rejects.toSatisfy(isDatabaseUnavailable)
  expect(await kept()).toEqual([])
})

test('nothing networked may happen inside a transaction of better-auth either', async () => {
  const { adapter } = await (await authOn(await databaseForThisTest())).$context
  const call = () => adapter.transaction(async () => assertNoTransaction('a call'))
  await expect(call()).rejects.toThrow('a call inside an open transaction')
  expect(() => assertNoTransaction('a call')).not.toThrow()
})
