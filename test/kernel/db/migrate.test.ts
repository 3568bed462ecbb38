import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { addSeconds } from '../../../src/kernel/basics/clock.ts'
import { connect, type Database } from '../../../src/kernel/db/database.ts'
import {
  type Migration,
  MigrationError,
  migrate,
  readMigrations,
} from '../../../src/kernel/db/migrate.ts'
import { deleteProcess, updateProcessSeen } from '../../../src/kernel/db/process-store.ts'
import { manualClock } from '../../support/clock.ts'
import { administer, databaseForThisTest, serverUrl } from '../../support/database.ts'

const clock = manualClock()

// Empty, unlike the databases that other tests are given.
async function emptyDatabase(connections = 1): Promise<Database[]> {
  const name = `empty_${randomUUID().replaceAll('-', '')}`
  await administer((sql) => sql`create database ${sql(name)} template template0`)
  const databases = Array.from({ length: connections }, () =>
    connect({ url: serverUrl(name), poolSize: 2 }),
  )
  onTestFinished(async () => {
    for (const database of databases) await database.close()
    await administer((sql) => sql`drop database ${sql(name)} with (force)`)
  })
  return databases
}

async function oneDatabase(): Promise<Database> {
  const [database] = await emptyDatabase()
  if (!database) throw new Error('no database')
  return database
}

function migrations(...texts: string[]): Migration[] {
  return texts.map((text, index) => ({
    number: index + 1,
    name: `${String(index + 1).padStart(4, '0')}-step`,
    text,
    checksum: createHash('sha256').update(text).digest('hex'),
  }))
}

const one = 'create table public.one (id int);'
const two = 'create table public.two (id int); insert into public.one values (1);'
const applied = ({ sql }: Database) => sql`
  select number, name, checksum, applied_at
  from kernel.migrations
  order by number`

describe('migrating', () => {
  it('applies what is missing, in order, and says what it did', async () => {
    const database = await oneDatabase()
    expect(await migrate(database.sql, migrations(one), clock)).toEqual(['0001-step'])
    expect(await migrate(database.sql, migrations(one, two), clock)).toEqual(['0002-step'])
    expect(await migrate(database.sql, migrations(one, two), clock)).toEqual([])
    expect(await applied(database)).toMatchObject([
      { number: 1, name: '0001-step', appliedAt: clock.now() },
      { number: 2, name: '0002-step', appliedAt: clock.now() },
    ])
    expect(await database.sql`select id from public.one`).toHaveLength(1)
  })

  it('applies the real ones to an empty database', async () => {
    const database = await oneDatabase()
    const real = readMigrations('migrations')
    expect(await migrate(database.sql, real, clock)).toEqual(real.map(({ name }) => name))
  })

  it('refuses a file that was changed after it was applied, and does nothing', async () => {
    const database = await oneDatabase()
    await migrate(database.sql, migrations(one), clock)
    const changed = migrations(`${one} `, two)
    await expect(migrate(database.sql, changed, clock)).rejects.toThrow(
      'migration 0001-step was changed after it was applied',
    )
    expect(await applied(database)).toHaveLength(1)
  })

  it('refuses a database that a newer version has migrated', async () => {
    const database = await oneDatabase()
    await migrate(database.sql, migrations(one, two), clock)
    await expect(migrate(database.sql, migrations(one), clock)).rejects.toThrow(
      'the database was migrated by a newer version (it has 0002-step)',
    )
  })

  it('leaves nothing of a migration that fails half way, and its number free', async () => {
    const database = await oneDatabase()
    const broken = migrations(one, `${two} select 1 / 0;`, 'create table public.three (id int);')
    const failure = await migrate(database.sql, broken, clock).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(MigrationError)
    expect(String(failure)).toContain('migration 0002-step failed')
    expect(await applied(database)).toHaveLength(1)
    const [tables] = await database.sql`
      select to_regclass('public.two') as two, to_regclass('public.three') as three`
    expect(tables).toEqual({ two: null, three: null })
    expect(await migrate(database.sql, migrations(one, two), clock)).toEqual(['0002-step'])
  })

  it('lets go of its lock after a failure', async () => {
    const [first, second] = await emptyDatabase(2)
    if (!first || !second) throw new Error('two databases')
    await expect(migrate(first.sql, migrations('nonsense'), clock)).rejects.toThrow(MigrationError)
    expect(await migrate(second.sql, migrations(one), clock)).toEqual(['0001-step'])
  })

  it('is done once when several processes start together', async () => {
    const databases = await emptyDatabase(4)
    const slow = migrations('select pg_sleep(0.2); create table public.one (id int);', two)
    const done = await Promise.all(databases.map(({ sql }) => migrate(sql, slow, clock)))
    expect(done.flat().sort()).toEqual(['0001-step', '0002-step'])
  })

  it('was done to the database that tests are given', async () => {
    const { sql } = await databaseForThisTest()
    expect(await migrate(sql, readMigrations('migrations'), clock)).toEqual([])
  })
})

describe('processes of an older version', () => {
  const expand = '-- expand\ncreate table public.two (id int);'
  const contract = '-- contract\ndrop table public.one;'
  const process = { id: randomUUID(), role: 'api', host: 'machine-1' }

  it('go on, and start again, beside a migration that only adds', async () => {
    const { sql } = await oneDatabase()
    await migrate(sql, migrations(one), clock, process)
    expect(await migrate(sql, migrations(one, expand), clock)).toEqual(['0002-step'])
    const again = { ...process, id: randomUUID() }
    expect(await migrate(sql, migrations(one), clock, again)).toEqual([])
  })

  it('are waited for by a migration that takes something away', async () => {
    const { sql } = await oneDatabase()
    await migrate(sql, migrations(one), clock, process)
    const newer = migrations(one, expand, contract)
    await expect(migrate(sql, newer, clock)).rejects.toThrow(
      `migration 0003-step takes away what an older version uses, and that is still running: api on machine-1 (${process.id}). Stop it`,
    )
    expect(await sql`select from kernel.migrations`).toHaveLength(1)
    await deleteProcess(sql, process.id)
    expect(await migrate(sql, newer, clock)).toEqual(['0002-step', '0003-step'])
    await expect(migrate(sql, migrations(one), clock)).rejects.toThrow(
      'the database was migrated by a newer version (it has 0003-step)',
    )
  })

  it('count as gone when they have said nothing for a minute', async () => {
    const { sql } = await oneDatabase()
    const at = (seconds: number) => ({ ...clock, now: () => addSeconds(clock.now(), seconds) })
    await migrate(sql, migrations(one), clock, process)
    const newer = migrations(one, contract)
    await updateProcessSeen(sql, process.id, at(30).now())
    await expect(migrate(sql, newer, at(90))).rejects.toThrow(MigrationError)
    expect(await migrate(sql, newer, at(91))).toEqual(['0002-step'])
  })

  it('are those that do not know the migration: others of the same version may run', async () => {
    const { sql } = await oneDatabase()
    const newer = migrations(one, contract)
    await migrate(sql, newer, clock, process)
    expect(await migrate(sql, newer, clock)).toEqual([])
  })
})

describe('the files', () => {
  function directory(...names: string[]): string {
    const path = mkdtempSync(join(tmpdir(), 'migrations-'))
    onTestFinished(() => rm(path, { recursive: true }))
    for (const name of names) writeFileSync(join(path, name), `-- ${name}`)
    return path
  }

  it('are read in order, and others are left alone', () => {
    const read = readMigrations(directory('0002-b.sql', '0001-a.sql', 'README.md'))
    expect(read.map(({ number, name }) => [number, name])).toEqual([
      [1, '0001-a'],
      [2, '0002-b'],
    ])
    expect(read[0]?.checksum).toMatch(/^[0-9a-f]{64}$/)
  })

  it.each([
    ['a gap', ['0001-a.sql', '0003-c.sql']],
    ['a number twice', ['0001-a.sql', '0001-b.sql']],
    ['a number too short', ['1-a.sql']],
    ['capitals', ['0001-A.sql']],
    ['no name', ['0001.sql']],
  ])('are refused with %s', (_, names) => {
    expect(() => readMigrations(directory(...names))).toThrow(MigrationError)
  })
})
