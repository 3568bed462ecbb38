// The schema against the map of tables: what Citus would refuse is found without Citus.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findObstacles, readCatalogue } from '../../../src/app/distribution/catalogue.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

// A new table needs a line in src/app/distribution/table-map.ts, and keys that begin with the
// business; a new trigger a line in guards.ts.
it('nothing in the schema stands in the way of distributing it', async () => {
  expect(findObstacles(await readCatalogue(database.sql))).toEqual([])
})

describe.each<[string, string, string[]]>([
  [
    'a table that is not in the map',
    'create table books.ideas (business_id uuid primary key)',
    ['books.ideas is not in src/app/distribution/table-map.ts'],
  ],
  [
    'a table that is gone',
    'drop table kernel.spent_challenges',
    ['kernel.spent_challenges is in the map of tables and not in the database'],
  ],
  [
    'a business that may be null',
    'alter table kernel.brands drop constraint brands_pkey; ' +
      'alter table kernel.brands alter column business_id drop not null',
    ['kernel.brands.business_id can be null', 'kernel.brands has no primary key'],
  ],
  [
    'a unique key without the business',
    'create unique index items_by_code on books.items (id)',
    ['the unique key items_by_code of books.items does not contain business_id'],
  ],
  [
    'a foreign key without the business',
    'alter table books.leads add constraint unsafe unique (business_id, id); ' +
      'alter table books.leads add constraint leads_follow foreign key (id, business_id) ' +
      'references books.leads (business_id, id)',
    [
      'the foreign key leads_follow of books.leads does not join business_id with business_id of ' +
        'books.leads',
    ],
  ],
  [
    'a foreign key from a local table to one of businesses',
    'alter table kernel.form_submissions add column business_id uuid; ' +
      'alter table kernel.form_submissions add constraint forms_owner foreign key (business_id) ' +
      'references kernel.businesses',
    [
      'the foreign key forms_owner of kernel.form_submissions leads to kernel.businesses, which is kept ' +
        'elsewhere',
    ],
  ],
  [
    'a foreign key from a queue to a table of businesses',
    'alter table kernel.jobs add constraint jobs_owner foreign key (business_id) ' +
      'references kernel.businesses',
    [
      'the foreign key jobs_owner of kernel.jobs leads to kernel.businesses, which is kept elsewhere',
    ],
  ],
  [
    'a foreign key to a local table',
    'alter table books.leads add column session_id uuid; ' +
      'alter table books.leads add constraint leads_session foreign key (session_id) ' +
      'references kernel.sessions',
    ['the foreign key leads_session of books.leads leads to kernel.sessions, which is local'],
  ],
  [
    'a foreign key that would take a row away from its business',
    'alter table kernel.brands add constraint brands_owner foreign key (business_id) ' +
      'references kernel.businesses on delete set null',
    ['the foreign key brands_owner of kernel.brands would change business_id'],
  ],
  [
    'a trigger that is not in the list',
    'create trigger items_stay before delete on books.items ' +
      'for each row execute function books.refuse_change()',
    ['the trigger items_stay of books.items is not in src/app/distribution/guards.ts'],
  ],
  [
    'a trigger on a table that every server has',
    'create trigger people_stay before delete on kernel.people ' +
      'for each row execute function books.refuse_change()',
    ['the trigger people_stay is on kernel.people, of which every server has a copy'],
  ],
  [
    'a guard that is gone',
    'drop trigger journal_lines_stay on books.journal_lines',
    ['the trigger books.journal_lines journal_lines_stay is missing or switched off'],
  ],
  [
    'a guard that is switched off',
    'alter table kernel.ledger_lines disable trigger ledger_lines_are_balanced',
    ['the trigger kernel.ledger_lines ledger_lines_are_balanced is missing or switched off'],
  ],
])('%s', (_, change, obstacles) => {
  it('is found', async () => {
    const undone = database.sql.begin(async (tx) => {
      await tx.unsafe(change)
      expect(findObstacles(await readCatalogue(tx))).toEqual(obstacles)
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
  })
})
