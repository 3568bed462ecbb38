// However long the queue, statements and transactions stay separate: acknowledged data is stored,
// refused data is not, and no rejection is left unhandled.
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { connect } from '../../../src/kernel/db/database.ts'
import { databaseForThisTest } from '../../support/database.ts'

const unhandled: unknown[] = []
const note = (reason: unknown) => unhandled.push(reason)
beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', note)
})
afterEach(() => {
  process.off('unhandledRejection', note)
})

async function world(poolSize: number) {
  // The second connection, which sees only what is really stored.
  const { url, sql: witness } = await databaseForThisTest()
  await witness`create table public.notes (text text primary key)`
  const database = connect({ url, poolSize })
  onTestFinished(() => database.close())
  // The connections are open: what a test asks for queues on them.
  await Promise.all(Array.from({ length: poolSize }, () => database.sql`select pg_sleep(0.05)`))
  const stored = async () => {
    const rows = await witness<{ text: string }[]>`
      select text
      from public.notes`
    return new Set(rows.map(({ text }) => text))
  }
  return { database, stored }
}

test.each([1, 2, 10])(
  'an insert next to a refused transaction is kept behind 99 statements, pool of %i',
  async (poolSize) => {
    const { database, stored } = await world(poolSize)
    const { sql } = database
    const slow = Array.from({ length: poolSize }, () => sql`select pg_sleep(0.5)`.execute())
    const plain = Array.from({ length: 99 * poolSize }, () => sql`select 1 as one`.execute())
    const kept = outcomeOf(
      database.transaction((tx) => tx`insert into public.notes values ('kept')`),
    )
    const outside = outcomeOf(sql`insert into public.notes values ('outside')`)
    const refused = outcomeOf(
      database.transaction(async (tx) => {
        await tx`insert into public.notes values ('refused')`
        throw new Error('refused')
      }),
    )
    await Promise.all([...slow, ...plain])
    const outcomes = [await kept, await outside, await refused]
    expect({ outcomes, stored: await stored(), unhandled }).toEqual({
      outcomes: ['kept', 'kept', 'refused'],
      stored: new Set(['kept', 'outside']),
      unhandled: [],
    })
  },
)

// Handled from the start, since an outcome may come before anybody waits for it.
const outcomeOf = (work: PromiseLike<unknown>) =>
  work.then(
    () => 'kept',
    (error: Error) => error.message,
  )

// Of every ten one is a transaction that succeeds, one a transaction whose work fails, and one a
// statement that the server refuses.
test.each([1, 2, 10])(
  '10,000 queued statements and transactions each keep their own outcome, pool of %i',
  { timeout: 240_000 },
  async (poolSize) => {
    const { database, stored } = await world(poolSize)
    const { sql } = database
    await sql`insert into public.notes values ('taken')`
    const acknowledged = new Set(['taken'])
    const wrong: string[] = []
    const put = async (number: number) => {
      const text = `note ${number}`
      const kind = number % 10
      try {
        if (kind === 1) {
          await database.transaction((tx) => tx`insert into public.notes values (${text})`)
        } else if (kind === 2) {
          await database.transaction(async (tx) => {
            await tx`insert into public.notes values (${text})`
            throw new Error('refused')
          })
        } else if (kind === 3) {
          await sql`insert into public.notes values (${text}), ('taken')`
        } else {
          const rows = await sql<{ text: string }[]>`
            insert into public.notes values (${text})
            returning text`
          if (rows[0]?.text !== text) wrong.push(text)
        }
        acknowledged.add(text)
      } catch (error) {
        const isExpected =
          error instanceof Error &&
          ((kind === 2 && error.message === 'refused') ||
            (kind === 3 && 'code' in error && error.code === '23505'))
        if (!isExpected) wrong.push(`${text}: ${String(error)}`)
      }
    }
    const slow = Array.from({ length: poolSize }, () => sql`select pg_sleep(0.5)`.execute())
    await Promise.all([...slow, ...Array.from({ length: 10_000 }, (_, number) => put(number))])
    expect(wrong).toEqual([])
    expect(acknowledged.size).toBe(8_001)
    expect(await stored()).toEqual(acknowledged)
    expect(unhandled).toEqual([])
  },
)
