// Values arrive as they were given. A value that can't be sent fails only its own statement.
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest'
import { connect, type Sql } from '../../../src/kernel/db/database.ts'
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

describe('values', () => {
  it('arrive exact: bigint as bigint, a day as its text, an instant as a Date', async () => {
    const [row] = await database.sql`
      select
        9223372036854775807::bigint as largest,
        (-9223372036854775808)::bigint as smallest,
        count(*) as how_many,
        '2026-02-28'::date as some_day,
        '2026-02-28T23:59:59.123+00'::timestamptz as some_instant,
        12345678901234567.89::numeric as exact
      from (values (1), (2)) as rows`
    expect(row).toEqual({
      largest: 9223372036854775807n,
      smallest: -9223372036854775808n,
      howMany: 2n,
      someDay: '2026-02-28',
      someInstant: new Date('2026-02-28T23:59:59.123Z'),
      exact: '12345678901234567.89',
    })
  })

  it('leave as they were given', async () => {
    const instant = new Date('2026-02-28T23:59:59.123Z')
    const [row] = await database.sql`
      select
        ${9223372036854775807n}::bigint as big,
        ${'2026-02-28'}::date as day,
        ${instant}::timestamptz as instant,
        ${['a', 'b,"c']}::text[] as list,
        ${database.sql.json({ a: [1, null, 'x'] })}::jsonb as json`
    expect(row).toEqual({
      big: 9223372036854775807n,
      day: '2026-02-28',
      instant,
      list: ['a', 'b,"c'],
      json: { a: [1, null, 'x'] },
    })
  })

  it('keep their type where nothing else says it', async () => {
    const instant = new Date('2026-02-28T23:59:59.123Z')
    const [row] = await database.sql`
      select
        ${5n} as big, ${true} as flag, ${instant} as instant, ${Buffer.of(0, 255)} as bytes,
        ${database.sql.json([{ a: 1 }])} as json, ${instant} - interval '1 day' as before`
    expect(row).toEqual({
      big: 5n,
      flag: true,
      instant,
      bytes: Buffer.of(0, 255),
      json: [{ a: 1 }],
      before: new Date('2026-02-27T23:59:59.123Z'),
    })
  })

  it('may be lists, of anything and with nothing in them', async () => {
    const instant = new Date('2026-02-28T23:59:59.123Z')
    const texts = ['a', null, 'NULL', '', 'b,"c\\\\', '{}', ' x ']
    const [row] = await database.sql`
      select
        ${texts}::text[] as texts, ${[]}::text[] as none, ${[1n, 2n ** 62n]}::bigint[] as bigs,
        ${[true, false, null]}::boolean[] as flags, ${[instant]}::timestamptz[] as instants,
        ${[1.5, 2]}::numeric[] as numerics, ${[Buffer.of(0, 92, 255)]}::bytea[] as bytes,
        ${['2026-02-28']}::date[] as days, ${[['a', 'b'], ['c', 'd']]}::text[] as nested,
        ${[1, null]}::integer[] as numbers`
    expect(row).toEqual({
      texts,
      none: [],
      bigs: [1n, 2n ** 62n],
      flags: [true, false, null],
      instants: [instant],
      numerics: ['1.5', '2'],
      bytes: [Buffer.of(0, 92, 255)],
      days: ['2026-02-28'],
      nested: [
        ['a', 'b'],
        ['c', 'd'],
      ],
      numbers: [1, null],
    })
  })

  it('keep the names of JSON members as they are', async () => {
    const [row] = await database.sql`select '{"is_customer": true}'::jsonb as event_data`
    expect(row).toEqual({ eventData: { is_customer: true } })
  })

  it('are written as we read them, whatever the server prefers', async () => {
    const other = await databaseForThisTest()
    const [named] = await other.sql`select current_database() as name`
    for (const setting of [
      `TimeZone to 'Africa/Lagos'`,
      `DateStyle to 'German, DMY'`,
      `bytea_output to 'escape'`,
    ]) {
      await other.sql.unsafe(`alter database "${named?.name}" set ${setting}`)
    }
    const fresh = connect({ url: other.url, poolSize: 1 })
    onTestFinished(() => fresh.close())
    const [row] = await fresh.sql`
      select
        date '2026-01-31' as day, timestamptz '2026-01-31 23:30:00+00' as moment,
        (timestamptz '2026-01-31 23:30:00+00')::text as text, '\\xff00'::bytea as bytes`
    expect(row).toEqual({
      day: '2026-01-31',
      moment: new Date('2026-01-31T23:30:00.000Z'),
      text: '2026-01-31 23:30:00+00',
      bytes: Buffer.of(255, 0),
    })
  })

  it('keep members of an object out of the statement', async () => {
    const name = `'; drop table public.counters; --`
    await insert(name, 5n)
    expect(await storedValue(name)).toBe(5n)
  })
})

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
    select ${asParameter(sql, value)}::${sql.unsafe(typeOf(good))} is not null as is_there`
  expect(await ask(good)).toEqual([{ isThere: true }])
  const before = sql`select pg_sleep(0.2)::text as slept`.execute()
  const failed = expect(ask(bad)).rejects.toThrow(TypeError)
  const after = ['a', 'b', 'c'].map((name) => sql`select ${name}::text as name`.execute())
  expect(await before).toEqual([{ slept: '' }])
  await failed
  expect(await Promise.all(after)).toEqual([[{ name: 'a' }], [{ name: 'b' }], [{ name: 'c' }]])
})

function asParameter(sql: Sql, value: unknown) {
  const isJson = typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)
  return isJson ? sql.json(value) : (value as string)
}

function typeOf(value: unknown): string {
  if (value instanceof Date) return 'timestamptz'
  if (Array.isArray(value)) return 'text[]'
  return typeof value === 'string' ? 'text' : 'jsonb'
}
