// A transaction that loses its connection ends, harms nobody else's, and leaves a working pool.
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createAuth } from '../../../src/kernel/auth/people-auth.ts'
import { createSecrets } from '../../../src/kernel/auth/secrets.ts'
import {
  assertNoTransaction,
  databaseInside,
  isDatabaseUnavailable,
} from '../../../src/kernel/db/database.ts'
import { holdTransaction } from '../../../src/kernel/db/held-transaction.ts'
import { databaseForThisTest } from '../../support/database.ts'
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
  'whoever asks again at once when all connections are %s gets an answer',
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
    // All three are open: a connection that is new would take nobody else's statement yet.
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

test('a transaction of better-auth that waits while the connection is lost begins on the next', async () => {
  const { database, cut, notes } = await behindProxy()
  const lost = database.transaction((tx) => tx`select pg_sleep(30)`)
  await delay(100)
  const waiting = holdTransaction(database.sql)
  await delay(100)
  cut('closed')
  await expect(lost).rejects.toSatisfy(isDatabaseUnavailable)
  const kept = await waiting
  await kept.tx`insert into public.notes values ('kept')`
  await kept.commit()
  const undone = await holdTransaction(database.sql)
  await undone.tx`insert into public.notes values ('undone')`
  await undone.rollback()
  expect(await notes()).toEqual(['kept'])
})

test('a transaction of better-auth that loses its connection fails, and the pool goes on', async () => {
  const { database, cut, notes } = await behindProxy()
  const lost = await holdTransaction(database.sql)
  await lost.tx`insert into public.notes values ('lost')`
  setTimeout(() => cut('closed'), 100)
  await expect(lost.tx`select pg_sleep(30)`).rejects.toSatisfy(isDatabaseUnavailable)
  await expect(lost.commit()).rejects.toSatisfy(isDatabaseUnavailable)
  await lost.rollback()
  expect(await notes()).toEqual([])
})

test('nothing networked may happen inside a transaction of better-auth either', async () => {
  const database = await databaseForThisTest()
  const { context } = await peopleWorld(database)
  const options = { publicUrl: 'https://books.example', secret: 'a'.repeat(44) }
  const auth = createAuth(context, { ...options, secrets: createSecrets([secretsKey]) })
  const { adapter } = await auth.$context
  const call = () => adapter.transaction(async () => assertNoTransaction('a call'))
  await expect(call()).rejects.toThrow('a call inside an open transaction')
  expect(() => assertNoTransaction('a call')).not.toThrow()
})
