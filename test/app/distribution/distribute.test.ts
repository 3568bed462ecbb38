// `cli distribute`, against a stub of Citus: its statements, their order, and how it goes on after
// a failure. Nothing is moved between servers here.
import { describe, expect, it } from 'vitest'
import { placeNewTable } from '../../../src/app/distribution/distribute.ts'
import { connect, type Database } from '../../../src/kernel/db/database.ts'
import { migrate, readMigrations } from '../../../src/kernel/db/migrate.ts'
import { installCitusStub, listCitusCalls } from '../../support/citus-stub.ts'
import { type Installation, installation } from '../../support/cli.ts'
import { manualClock } from '../../support/clock.ts'

// The command refuses to work beside other connections, so each look has its own.
async function look<T>({ env }: Installation, work: (database: Database) => Promise<T>) {
  const database = connect({ url: env.DATABASE_URL ?? '', poolSize: 1 })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

const structure = ({ sql }: Database) => sql`
  select pg_get_constraintdef(oid) as definition, conname::text as name
  from pg_constraint
  where contype = 'f'
  union all
  select pg_get_triggerdef(oid), tgname::text
  from pg_trigger
  where not tgisinternal
  order by 2, 1`

const detached = ({ sql }: Database) => sql`
  select name
  from kernel.detached_objects`

describe('cli distribute', () => {
  it('refuses a server without Citus, says what to install, and changes nothing', async () => {
    const installed = await installation()
    const before = await look(installed, structure)
    const { status, stdout } = await installed.cli('distribute')
    expect(status).toBe(1)
    expect(stdout).toContain('The database was not changed.')
    expect(stdout).toContain('the server has no Citus: install it on every server')
    expect(await look(installed, structure)).toEqual(before)
  })

  it('refuses while another program is connected', async () => {
    const installed = await installation()
    await look(installed, async ({ sql }) => {
      await installCitusStub(sql)
      const { status, stdout } = await installed.cli('distribute')
      expect(status).toBe(1)
      expect(stdout).toContain('1 other connection is open on this database')
      expect(await listCitusCalls(sql)).toEqual([])
    })
  })

  it('refuses a coordinator without a worker, or without its own address', async () => {
    const installed = await installation()
    await look(installed, async ({ sql }) => {
      await installCitusStub(sql, 0)
      await sql`delete from public.pg_dist_node`
    })
    const { stdout } = await installed.cli('distribute')
    expect(stdout).toContain('citus_set_coordinator_host')
    expect(stdout).toContain('there is no worker')
  })

  it('distributes every table, and puts all keys and triggers back', async () => {
    const installed = await installation()
    const before = await look(installed, structure)
    await look(installed, ({ sql }) => installCitusStub(sql))
    const { status, stdout } = await installed.cli('distribute')
    expect(stdout).toMatch(/The database is distributed\. Start the service\.\n$/)
    expect(status).toBe(0)
    const calls = await look(installed, ({ sql }) => listCitusCalls(sql))
    expect(calls.slice(0, 6)).toEqual([
      'reference people',
      'reference merchant.default_thresholds',
      'reference merchant.live_provider',
      'reference merchant.pauses',
      'distribute businesses by id beside none',
      'distribute api_keys by business_id beside kernel.businesses',
    ])
    expect(calls).toContain('distribute webhook_queue by business_id beside kernel.businesses')
    expect(calls).toContain('distribute mail_attachments by shard beside kernel.jobs')
    expect(calls).toContainEqual(
      expect.stringMatching(/^on workers: do .* alter .* set TimeZone = 'UTC'/),
    )
    expect(await look(installed, structure)).toEqual(before)
    expect(await look(installed, detached)).toEqual([])

    const again = await installed.cli('distribute')
    expect(again.status).toBe(0)
    const repeated = await look(installed, ({ sql }) => listCitusCalls(sql))
    expect(repeated.filter((call) => !call.startsWith('on workers'))).toEqual(
      calls.filter((call) => !call.startsWith('on workers')),
    )
  })

  it('goes on where it was interrupted; until then no service starts', async () => {
    const installed = await installation()
    const before = await look(installed, structure)
    await look(installed, async ({ sql }) => {
      await installCitusStub(sql)
      await sql.unsafe(`
        create function public.fail_once() returns trigger language plpgsql as $$
        begin
          if new.call like '%books.journal_lines%' then
            raise exception 'the network failed';
          end if;
          return new;
        end $$;
        create trigger fail_once before insert on public.citus_calls
          for each row execute function public.fail_once()`)
    })
    const failed = await installed.cli('distribute')
    expect(failed.status).not.toBe(0)
    expect(failed.stderr).toContain('the network failed')
    const start = await installed.cli('migrate')
    expect(start.status).not.toBe(0)
    expect(start.stderr).toContain('the database has lost what guards its data')
    expect(start.stderr).toContain('kernel.ledger_lines ledger_lines_are_balanced')

    await look(installed, ({ sql }) => sql.unsafe('drop trigger fail_once on public.citus_calls'))
    expect((await installed.cli('distribute')).status).toBe(0)
    expect(await look(installed, structure)).toEqual(before)
    expect((await installed.cli('migrate')).status).toBe(0)
  })

  it('says which worker refused its settings', async () => {
    const installed = await installation()
    await look(installed, async ({ sql }) => {
      await installCitusStub(sql)
      await sql`insert into public.pg_dist_node (groupid, isactive) values (9, false)`
    })
    const { status, stderr } = await installed.cli('distribute')
    expect(status).not.toBe(0)
    expect(stderr).toContain('refused by a worker')
  })

  it('distributes a table that came with a later migration', async () => {
    const installed = await installation()
    await look(installed, ({ sql }) => installCitusStub(sql))
    await installed.cli('distribute')
    await look(installed, async ({ sql }) => {
      await sql`delete from public.pg_dist_partition where logicalrelid = 'books.leads'::regclass`
      await sql`truncate public.citus_calls`
    })
    expect((await installed.cli('distribute')).status).toBe(0)
    const calls = await look(installed, ({ sql }) => listCitusCalls(sql))
    expect(calls.filter((call) => !call.startsWith('on workers'))).toEqual([
      'distribute books.leads by business_id beside kernel.businesses',
    ])
  })
})

describe('cli distribute --check', () => {
  it('tells of any database what stands in the way', async () => {
    const installed = await installation()
    await look(installed, ({ sql }) => sql`create table kernel.ideas (id integer)`)
    const { status, stdout } = await installed.cli('distribute', '--check')
    expect(status).toBe(1)
    expect(stdout).toContain('- kernel.ideas is not in src/app/distribution/table-map.ts')
    expect(stdout).toContain('- the server has no Citus')
  })

  it('says so when nothing does', async () => {
    const installed = await installation()
    await look(installed, ({ sql }) => installCitusStub(sql))
    const { status, stdout } = await installed.cli('distribute', '--check')
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'Nothing stands in the way.\n' })
  })

  it('asks for the migrations of this version first', async () => {
    const installed = await installation()
    await look(installed, ({ sql }) => sql`delete from kernel.migrations where number > 70`)
    const { status, stdout } = await installed.cli('distribute', '--check')
    expect(status).toBe(1)
    expect(stdout).toMatch(
      /is not at this version \(70 of \d+ migrations\): run `cli migrate` first/,
    )
  })
})

describe('migrating a distributed database', () => {
  it('places a new table before anything leads from it to others', async () => {
    const installed = await installation()
    await look(installed, ({ sql }) => installCitusStub(sql))
    await installed.cli('distribute')
    await look(installed, async ({ sql }) => {
      await sql`delete from public.pg_dist_partition where logicalrelid = 'kernel.brands'::regclass`
      await sql`drop table kernel.brands`
      await sql`truncate public.citus_calls`
      const text =
        'create table kernel.brands (business_id uuid not null);\n' +
        'create table kernel.only_here (id integer);\n' +
        'alter table kernel.brands add constraint brands_owner ' +
        'foreign key (business_id) references kernel.businesses (id);'
      const files = readMigrations('migrations')
      const next = { number: files.length + 1, name: 'next', text, checksum: '' }
      await migrate(sql, [...files, next], manualClock(), undefined, placeNewTable)
      expect(await listCitusCalls(sql)).toEqual([
        'distribute brands by business_id beside kernel.businesses',
      ])
    })
  })
})
