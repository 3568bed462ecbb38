import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect as connectSocket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../src/kernel/basics/clock.ts'
import { createLog } from '../../../src/kernel/basics/log.ts'
import { connect, type Database } from '../../../src/kernel/db/database.ts'
import {
  isDatabaseTooSlow,
  isDatabaseUnavailable,
  sqlState,
} from '../../../src/kernel/db/database-errors.ts'
import { migrate } from '../../../src/kernel/db/migrate.ts'
import { assertNoTransaction } from '../../../src/kernel/db/transaction.ts'
import { errorAnswer } from '../../../src/kernel/http/errors.ts'
import { createDatabase, databaseForThisTest, type TestDatabase } from '../../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
  await database.sql`create table public.counters (name text primary key, value bigint not null)`
})
afterAll(() => database.drop())

const insert = (name: string, value = 0n) =>
  database.sql`insert into public.counters values (${name}, ${value})`
const storedValue = async (name: string) => {
  const [row] = await database.sql<{ value: bigint }[]>`
    select value
    from public.counters
    where name = ${name}`
  return row?.value
}
const failWith = (state: string) =>
  database.sql`do ${database.sql.unsafe(`$$ begin raise sqlstate '${state}'; end $$`)}`

describe('a transaction', () => {
  it('returns what its work returns, and keeps what it wrote', async () => {
    const result = await database.transaction(async (tx) => {
      await tx`insert into public.counters values ('kept', 1)`
      return { answer: 42 }
    })
    expect(result).toEqual({ answer: 42 })
    expect(await storedValue('kept')).toBe(1n)
  })

  it('leaves nothing behind when its work throws, and throws the same', async () => {
    const error = new Error('no')
    const attempt = database.transaction(async (tx) => {
      await tx`insert into public.counters values ('lost', 1)`
      throw error
    })
    await expect(attempt).rejects.toBe(error)
    expect(await storedValue('lost')).toBeUndefined()
  })

  it.each(['40001', '40P01'])('is run three times at most after %s', async (state) => {
    let attempts = 0
    const attempt = database.transaction(async (tx) => {
      attempts += 1
      await tx`do ${tx.unsafe(`$$ begin raise sqlstate '${state}'; end $$`)}`
    })
    await expect(attempt).rejects.toMatchObject({ code: state })
    expect(attempts).toBe(3)
  })

  it('is kept once when its second run succeeds', async () => {
    let attempts = 0
    await database.transaction(async (tx) => {
      attempts += 1
      await tx`insert into public.counters values ('second run', 1)`
      if (attempts === 1) await tx`do $$ begin raise sqlstate '40001'; end $$`
    })
    expect(attempts).toBe(2)
    expect(await storedValue('second run')).toBe(1n)
  })

  it.each(['23505', '22P02', '57014', 'P0001'])('is not run again after %s', async (state) => {
    let attempts = 0
    const attempt = database.transaction(async (tx) => {
      attempts += 1
      await tx`do ${tx.unsafe(`$$ begin raise sqlstate '${state}'; end $$`)}`
    })
    await expect(attempt).rejects.toMatchObject({ code: state })
    expect(attempts).toBe(1)
  })

  it('survives a real deadlock: both have run in the end', async () => {
    await insert('a')
    await insert('b')
    const locked = Promise.withResolvers<void>()
    let waiting = 0
    let attempts = 0
    const addOne = (names: [string, string]) =>
      database.transaction(async (tx) => {
        attempts += 1
        for (const name of names) {
          await tx`
            update public.counters
            set value = value + 1
            where name = ${name}`
          waiting += 1
          if (waiting === 2) locked.resolve()
          // Both hold their first row before either asks for the second.
          await locked.promise
        }
      })
    await Promise.all([addOne(['a', 'b']), addOne(['b', 'a'])])
    expect([await storedValue('a'), await storedValue('b')]).toEqual([2n, 2n])
    // The transaction that is retried may meet the other one again.
    expect(attempts).toBeGreaterThanOrEqual(3)
  })

  it('survives a real serialisation failure', async () => {
    await insert('serial')
    const read = Promise.withResolvers<void>()
    let readers = 0
    let attempts = 0
    const addOne = () =>
      database.transaction(async (tx) => {
        attempts += 1
        await tx`set transaction isolation level repeatable read`
        const [row] = await tx<{ value: bigint }[]>`
          select value
          from public.counters
          where name = 'serial'`
        readers += 1
        if (readers === 2) read.resolve()
        await read.promise
        await tx`
          update public.counters
          set value = ${(row?.value ?? 0n) + 1n}
          where name = 'serial'`
      })
    await Promise.all([addOne(), addOne()])
    expect(await storedValue('serial')).toBe(2n)
    expect(attempts).toBe(3)
  })

  it('is never opened inside another', async () => {
    const nested = database.transaction(() => database.transaction(async () => undefined))
    await expect(nested).rejects.toThrow('a transaction was opened inside a transaction')
  })
})

describe('waiting for the network', () => {
  it('is an error while a transaction is open, however deep in its work', async () => {
    const call = async () => {
      await Promise.resolve()
      assertNoTransaction('a call of the provider')
    }
    await call()
    await expect(
      database.transaction(async (tx) => {
        await tx`select 1`
        await call()
      }),
    ).rejects.toThrow('a call of the provider inside an open transaction')
    await call()
  })

  it('is none of the business of a transaction that is open elsewhere', async () => {
    const open = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const other = database.transaction(async () => {
      open.resolve()
      await done.promise
    })
    await open.promise
    assertNoTransaction('a call')
    done.resolve()
    await other
  })
})

describe('an error', () => {
  it('tells its SQLSTATE, and that it is none of the database', async () => {
    const error = await failWith('23505').catch((failure: unknown) => failure)
    expect(sqlState(error)).toBe('23505')
    expect(sqlState(new Error('other'))).toBeUndefined()
    expect(isDatabaseUnavailable(error)).toBe(false)
    expect(isDatabaseUnavailable('no error at all')).toBe(false)
  })

  it('says that the database is unavailable when no one listens there', async () => {
    const nowhere = connect({ url: 'postgres://no-one@127.0.0.1:1/none', poolSize: 1 })
    const error = await nowhere.sql`select 1`.catch((failure: unknown) => failure)
    expect(isDatabaseUnavailable(error)).toBe(true)
    await nowhere.close()
  })

  it.each([
    ['a port', 'postgres://no-one@127.0.0.1:1/none'],
    ['a socket', 'postgres://no-one@localhost/none?host=/nowhere'],
    ['a name', 'postgres://no-one@nowhere.invalid/none'],
  ])('says so too of a transaction and of a reserved connection: %s', async (_, url) => {
    const nowhere = connect({ url, poolSize: 1 })
    onTestFinished(() => nowhere.close())
    const begun = nowhere.transaction(async (tx) => tx`select 1`)
    expect(isDatabaseUnavailable(await begun.catch((failure: unknown) => failure))).toBe(true)
    const reserved = nowhere.sql.reserve()
    expect(isDatabaseUnavailable(await reserved.catch((failure: unknown) => failure))).toBe(true)
  })

  it.each(['08003', '08006', '53100', '53300', '57P01', '57P03', '25P03'])(
    'says that the database is unavailable at %s',
    async (state) => {
      const error = await failWith(state).catch((failure: unknown) => failure)
      expect(isDatabaseUnavailable(error)).toBe(true)
    },
  )

  it('of a file or another server is not the database’s', async () => {
    const missing = await readFile('/nowhere').catch((failure: unknown) => failure)
    expect(missing).toMatchObject({ code: 'ENOENT' })
    expect(isDatabaseUnavailable(missing)).toBe(false)
    const refused = await once(connectSocket(1, '127.0.0.1'), 'connect').catch(
      (failure: unknown) => failure,
    )
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' })
    expect(isDatabaseUnavailable(refused)).toBe(false)
  })

  it('says that the database is unavailable when the connection was ended', async () => {
    const other = connect({ url: database.url, poolSize: 1 })
    const [row] = await other.sql<{ pid: number }[]>`select pg_backend_pid() as pid`
    const sleeping = other.sql`select pg_sleep(60)`.catch((failure: unknown) => failure)
    await waitUntilSleeping(row?.pid ?? 0)
    await database.sql`select pg_terminate_backend(${row?.pid ?? 0})`
    expect(isDatabaseUnavailable(await sleeping)).toBe(true)
    // The pool makes itself a new connection; one more query may still meet the old one.
    const ask = () => other.sql`select 1 as one`
    expect(await ask().catch(ask)).toEqual([{ one: 1 }])
    await other.close()
  })
})

describe('what hangs', () => {
  const limits = async ({ sql }: Pick<Database, 'sql'>) => {
    const [row] = await sql<{ statement: string; lock: string; idle: string }[]>`
      select
        current_setting('statement_timeout') as statement,
        current_setting('lock_timeout') as lock,
        current_setting('idle_in_transaction_session_timeout') as idle`
    return row
  }

  it('is ended by the server', async () => {
    expect(await limits(database)).toEqual({ statement: '30s', lock: '15s', idle: '30s' })
  })

  it('is told from a failure: a slow statement, and a wait for a lock', async () => {
    await insert('locked')
    const holding = await database.sql.reserve()
    await holding`begin`
    await holding`
      select 1
      from public.counters
      where name = 'locked'
      for update`
    const failureOf = (work: Promise<unknown>) => work.catch((failure: unknown) => failure)
    const slow = database.transaction(async (tx) => {
      await tx`set local statement_timeout = 10`
      await tx`select pg_sleep(60)`
    })
    const waiting = database.transaction(async (tx) => {
      await tx`set local lock_timeout = 10`
      await tx`
        update public.counters
        set value = 1
        where name = 'locked'`
    })
    const failures = await Promise.all([failureOf(slow), failureOf(waiting)])
    for (const [index, state] of ['57014', '55P03'].entries()) {
      const error = failures[index]
      expect(sqlState(error)).toBe(state)
      expect(isDatabaseTooSlow(error)).toBe(true)
      const log = createLog('silent')
      expect(errorAnswer(error, 'req_1', log)).toMatchObject({ status: 503 })
    }
    await holding`rollback`
    holding.release()
  })

  it('may be a migration or a command, which are not ended', async () => {
    const patient = connect({ url: database.url, poolSize: 1, withoutTimeLimits: true })
    onTestFinished(() => patient.close())
    expect(await limits(patient)).toMatchObject({ statement: '0', lock: '0' })

    const single = connect({ url: (await databaseForThisTest()).url, poolSize: 1 })
    onTestFinished(() => single.close())
    const text = `
      create table public.limits as
      select
        current_setting('statement_timeout') as statement,
        current_setting('lock_timeout') as lock`
    const applied = await single.sql<{ number: number; name: string; checksum: string }[]>`
      select number, name, checksum
      from kernel.migrations
      order by number`
    const next = { number: applied.length + 1, name: 'next', checksum: 'next', text }
    const known = applied.map((migration) => ({ ...migration, text: '' }))
    await migrate(single.sql, [...known, next], systemClock)
    expect(await single.sql`select * from public.limits`).toEqual([{ statement: '0', lock: '0' }])
    // The connection goes back to the pool as it was.
    expect(await limits(single)).toMatchObject({ statement: '30s', lock: '15s' })
  })
})

async function waitUntilSleeping(pid: number): Promise<void> {
  for (;;) {
    const [row] = await database.sql<{ event: string | null }[]>`
      select wait_event as event
      from pg_stat_activity
      where pid = ${pid}`
    if (row?.event === 'PgSleep') return
  }
}
