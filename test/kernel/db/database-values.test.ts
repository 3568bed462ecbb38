// What cannot be written fails the statement that it stands in, and nobody else's.
import { expect, onTestFinished, test } from 'vitest'
import { connect, sqlState } from '../../../src/kernel/db/database.ts'
import { databaseForThisTest } from '../../support/database.ts'

async function oneConnection() {
  const { url } = await databaseForThisTest()
  const database = connect({ url, poolSize: 1 })
  onTestFinished(() => database.close())
  return database.sql
}

const circle: { itself?: unknown } = {}
circle.itself = circle

test.each<[string, unknown, unknown]>([
  ['undefined', 'text', undefined],
  ['a list with undefined in it', ['text'], [undefined]],
  ['an instant that is none', new Date(0), new Date(Number.NaN)],
  ['JSON without an end', { a: 1 }, circle],
  ['JSON of undefined', { a: 1 }, { toJSON: () => undefined }],
])('a statement with %s is refused beside others that are not', async (_, good, bad) => {
  const sql = await oneConnection()
  const ask = async (value: unknown) => sql`
    select ${value as string}::${sql.unsafe(typeOf(good))} is not null as is_there`
  // The driver writes values later when it does not know the statement yet.
  expect(await ask(good)).toEqual([{ isThere: true }])
  const before = sql`select pg_sleep(0.2)::text as slept`.execute()
  const failed = ask(bad).catch(sqlState)
  const after = ['a', 'b', 'c'].map((name) => sql`select ${name}::text as name`.execute())
  expect(await before).toEqual([{ slept: '' }])
  expect(await failed).toMatch(/^22/)
  expect(await Promise.all(after)).toEqual([[{ name: 'a' }], [{ name: 'b' }], [{ name: 'c' }]])
})

function typeOf(value: unknown): string {
  if (value instanceof Date) return 'timestamptz'
  if (Array.isArray(value)) return 'text[]'
  return typeof value === 'string' ? 'text' : 'jsonb'
}
