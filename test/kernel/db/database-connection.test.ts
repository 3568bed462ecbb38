// Which statements share a connection, and when a connection is used again.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { connect, type Database, databaseInside, type Tx } from '../../../src/kernel/db/database.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
  await database.sql`create table public.counters (name text primary key, value bigint not null)`
})
afterAll(() => database.drop())

const storedValue = async (name: string) => {
  const [row] = await database.sql<{ value: bigint }[]>`
    select value
    from public.counters
    where name = ${name}`
  return row?.value
}

describe('statements of a transaction that are not awaited one by one', () => {
  it('are sent at once', async () => {
    const times = await database.transaction(async (tx) => {
      const now = () => tx<{ at: Date }[]>`select clock_timestamp() as at`.execute()
      const asked = [now(), now(), now()]
      // We are busy for a while: what was not sent by now would be sent after that.
      const until = performance.now() + 300
      while (performance.now() < until);
      return Promise.all(asked)
    })
    const [first = 0, , last = 0] = times.map(([row]) => row?.at.getTime())
    expect(last - first).toBeLessThan(250)
  })

  it('have their answers in order, whatever they are', async () => {
    const numbers = Array.from({ length: 200 }, (_, number) => number)
    const answers = await database.transaction((tx) =>
      Promise.all(numbers.map((number) => tx`select ${number}::integer as number`)),
    )
    expect(answers).toEqual(numbers.map((number) => [{ number }]))
  })

  it('fail together with the first that fails, and leave nothing behind', async () => {
    const attempt = database.transaction(async (tx) => {
      const put = (name: string) => tx`insert into public.counters values (${name}, 1)`
      await Promise.all([put('together'), put('together'), put('never')])
    })
    await expect(attempt).rejects.toMatchObject({ code: '23505' })
    expect(await storedValue('together')).toBeUndefined()
    expect(await storedValue('never')).toBeUndefined()
  })

  it('fail the transaction also when no one looks at the failure', async () => {
    const attempt = database.transaction(async (tx) => {
      await tx`insert into public.counters values ('unseen', 1)`
      await tx`select 1 / 0`.catch(() => undefined)
    })
    await expect(attempt).rejects.toMatchObject({ code: '22012' })
    expect(await storedValue('unseen')).toBeUndefined()
  })
})

describe('work that goes on after its transaction', () => {
  // Statements without a pause, until one is refused.
  const keepInserting = async (tx: Tx, name: string) => {
    for (let number = 0; ; number += 1) {
      await tx`insert into public.counters values (${`${name} ${number}`}, 1)`
    }
  }
  const countOf = async (name: string) => {
    const rows = await database.sql`
      select name
      from public.counters
      where name like ${`${name} %`}`
    return rows.length
  }
  const isOver = (work: Promise<never>) =>
    expect(work).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })

  it('writes nothing when the transaction has failed', async () => {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const attempt = database.transaction(async (tx) => {
      resolve(isOver(keepInserting(tx, 'failed')))
      await delay(30)
      throw new Error('given up')
    })
    await expect(attempt).rejects.toThrow('given up')
    await over
    expect(await countOf('failed')).toBe(0)
  })

  it('writes nothing when the transaction around its part has failed', async () => {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const attempt = database.transaction(async (tx) => {
      resolve(isOver(databaseInside(tx).transaction((part) => keepInserting(part, 'inner'))))
      await delay(30)
      throw new Error('given up')
    })
    await expect(attempt).rejects.toThrow('given up')
    await over
    expect(await countOf('inner')).toBe(0)
  })

  it('writes nothing after the commit', async () => {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    await database.transaction(async (tx) => {
      resolve(isOver(keepInserting(tx, 'kept')))
      await delay(30)
      await tx`insert into public.counters values ('last', 1)`
    })
    await over
    const [row] = await database.sql`
      select count(distinct xmin::text)::integer as transactions
      from public.counters
      where name like 'kept %'
        or name = 'last'`
    expect(row).toEqual({ transactions: 1 })
  })
})

describe('a connection', () => {
  const single = () => {
    const one = connect({ url: database.url, poolSize: 1 })
    onTestFinished(() => one.close())
    return one
  }
  const backend = async ({ sql }: Database) => (await sql`select pg_backend_pid() as pid`)[0]?.pid

  it('is used again after a statement or a transaction was refused', async () => {
    const one = single()
    const before = await backend(one)
    await expect(one.sql`select 1 / 0`).rejects.toMatchObject({ code: '22012' })
    await expect(one.transaction((tx) => tx`select 1 / 0`)).rejects.toMatchObject({ code: '22012' })
    expect(await backend(one)).toBe(before)
  })

  it('is not used again when a transaction is left open on it', async () => {
    const one = single()
    const before = await backend(one)
    await one.sql`begin`
    expect(await backend(one)).not.toBe(before)
    const reserved = await one.sql.reserve()
    await reserved`begin`
    await reserved`insert into public.counters values ('left open', 1)`
    reserved.release()
    expect(await storedValue('left open')).toBeUndefined()
    expect(await one.sql`select 1 as one`).toEqual([{ one: 1 }])
  })

  it('is not used after it was released', async () => {
    const reserved = await database.sql.reserve()
    reserved.release()
    await expect(reserved`select 1`).rejects.toThrow('after its release')
  })

  it('is replaced when a migration changed what a statement of it returns', async () => {
    await database.sql`create table public.changing (a integer)`
    await database.sql`insert into public.changing values (1)`
    const one = single()
    const read = () => one.sql`select * from public.changing`
    const readInside = () => one.transaction((tx) => tx`select * from public.changing`)
    expect([await read(), await readInside()]).toEqual([[{ a: 1 }], [{ a: 1 }]])
    await database.sql`alter table public.changing add b integer default 2`
    expect(await read()).toEqual([{ a: 1, b: 2 }])
    expect(await readInside()).toEqual([{ a: 1, b: 2 }])
    await database.sql`alter table public.changing drop a`
    expect(await readInside()).toEqual([{ b: 2 }])
  })

  it('keeps a bounded number of plans', async () => {
    const one = single()
    for (let number = 0; number < 2050; number += 1) {
      await one.sql`select ${one.sql.unsafe(String(number))} as number`
    }
    const [row] = await one.sql`select count(*)::integer as plans from pg_prepared_statements`
    expect(row).toEqual({ plans: 2000 })
    expect(await one.sql`select ${'late'}::text as text`).toEqual([{ text: 'late' }])
  })
})
