// Readiness on a distributed database, against a stub of Citus.
import { expect, it, onTestFinished } from 'vitest'
import { installCitusStub, listCitusCalls } from '../../support/citus-stub.ts'
import { manualClock } from '../../support/clock.ts'
import { createWorld } from '../../support/world.ts'

async function worldWithWorkers(workerCount: number) {
  const clock = manualClock()
  const world = await createWorld({ clock })
  onTestFinished(() => world.close())
  const { sql } = world.database
  await installCitusStub(sql, workerCount)
  const probe = async () => {
    const { status, body } = await world.call('GET', '/readyz')
    return { status, servers: body.parts.database_servers }
  }
  return { clock, world, sql, probe }
}

it('tells of a worker that is down, stays ready, and tells when it is back', async () => {
  const { clock, world, sql, probe } = await worldWithWorkers(2)
  expect(await probe()).toEqual({ status: 200, servers: 'up' })

  await sql`update public.pg_dist_node set isactive = false where groupid = 2`
  clock.advance(9_999)
  expect(await probe()).toEqual({ status: 200, servers: 'up' })
  expect(await listCitusCalls(sql)).toEqual(['on workers: select 1'])
  clock.advance(1)
  expect(await Promise.all([probe(), probe()])).toEqual([
    { status: 200, servers: 'down' },
    { status: 200, servers: 'down' },
  ])
  expect(await listCitusCalls(sql)).toHaveLength(2)
  clock.advance(10_000)
  await probe()
  const told = world.logLines.filter((line) => line.includes('workers of the database'))
  expect(told).toEqual([expect.stringContaining('"workers":["worker:5432"]')])

  await sql`update public.pg_dist_node set isactive = true`
  clock.advance(10_000)
  expect(await probe()).toEqual({ status: 200, servers: 'up' })
})

it('takes a coordinator that does not answer for one without its workers', async () => {
  const { clock, world, probe } = await worldWithWorkers(1)
  expect(await probe()).toEqual({ status: 200, servers: 'up' })
  await world.database.close()
  clock.advance(10_000)
  expect(await probe()).toEqual({ status: 503, servers: 'down' })
})

it('says nothing of servers where there is one', async () => {
  const { clock, world, probe } = await worldWithWorkers(0)
  expect(await probe()).toEqual({ status: 200 })
  await world.database.close()
  clock.advance(10_000)
  expect(await probe()).toEqual({ status: 503 })
})
