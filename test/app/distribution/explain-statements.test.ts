// @module-tag long
// The check that `npm run test:all` makes of every recorded statement.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import { findCrossing } from '../../support/explain-statements.ts'
import { splitTables } from '../../support/partitioned-copy.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
  await splitTables(database.sql)
})
afterAll(() => database.drop())

const business = '01890000-0000-7000-8000-000000000001'
const check = (text: string, values: string[] = [business], name = 'findIt') =>
  findCrossing(database.sql, [{ from: `src/a-store.ts ${name}`, text, values }])

describe('a statement', () => {
  it.each([
    ['about one business', 'select * from books.leads where business_id = $1'],
    [
      'that joins tables of one business',
      'select * from kernel.events as event join kernel.webhook_deliveries as delivery ' +
        'on delivery.business_id = event.business_id and delivery.event_id = event.id ' +
        'where event.business_id = $1',
    ],
    [
      'beside a table that every server has',
      'select * from kernel.memberships as one join kernel.people as person ' +
        'on person.id = one.person_id where business_id = $1',
    ],
    [
      'that locks rows of one business',
      'select from books.leads where business_id = $1 for update',
    ],
    ['about local tables', 'select $1::text from kernel.sessions'],
  ])('%s is accepted', async (_, text) => {
    expect(await check(text)).toEqual([])
  })

  it.each([
    ['names no business', 'select $1::text from books.leads', 'touches several parts'],
    [
      'takes the business of another row',
      'select (select count(*) from kernel.events as event ' +
        'where event.business_id = lead.business_id) from books.leads as lead ' +
        'where lead.business_id = $1',
      'touches several parts',
    ],
    [
      'joins a table that is split in another way',
      'select from kernel.jobs as job join books.leads as lead ' +
        'on lead.business_id = job.business_id where lead.business_id = $1 and job.shard = 1',
      'touches several parts (business',
    ],
    [
      'joins a local table',
      'select from books.leads as lead join simulator.worlds as world ' +
        'on world.business_id::uuid = lead.business_id where lead.business_id = $1',
      'coordinator',
    ],
    ['does not exist', 'select $1 from books.nowhere', 'cannot be explained'],
  ])('is found when it %s', async (_, text, problem) => {
    expect(await check(text)).toEqual([expect.stringContaining(problem)])
  })

  it('that looks at all businesses on purpose may do so, but not lock or follow its own rows', async () => {
    const all = (text: string) => check(text, [], 'listUnbalancedEntries')
    expect(await all('select from books.leads')).toEqual([])
    expect(await all('select from books.leads for update')).toEqual([
      expect.stringContaining('locks rows of several parts'),
    ])
    expect(
      await all('update books.leads set name = name where ctid in (select ctid from books.leads)'),
    ).toEqual([expect.stringContaining('by ctid')])
    const recursive =
      'with recursive next as (select id from books.leads union all ' +
      'select lead.id from books.leads as lead join next on next.id < lead.id) select from next'
    expect(await all(recursive)).toEqual([expect.stringContaining('is recursive')])
  })
})
