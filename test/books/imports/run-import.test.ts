// Imports as the application does them: checked first, saved in the background, undone as a whole.
import { beforeEach, describe, expect, it } from 'vitest'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { confirmImport, undoImport } from '../../../src/books/imports/confirm-import.ts'
import type { UndoableName } from '../../../src/books/imports/import.ts'
import { expireImportFilesSchedule } from '../../../src/books/imports/import-file.ts'
import { updateImport } from '../../../src/books/imports/import-store.ts'
import { getImport } from '../../../src/books/imports/list-imports.ts'
import { runImportJob } from '../../../src/books/imports/run-import.ts'
import { startImport } from '../../../src/books/imports/start-import.ts'
import { updateOrganisation } from '../../../src/books/settings/update-organisation.ts'
import type { PersonActor, Role } from '../../../src/kernel/auth/actor.ts'
import { deleteMembership } from '../../../src/kernel/auth/membership-store.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { member } from '../../support/payouts.ts'
import { refusal } from '../../support/refusal.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let businessId: string
let admin: PersonActor

beforeEach(async () => {
  businessId = await world().business()
  admin = await member(world(), { businessId, environment: 'live' }, 'admin')
})

const person = (role: Role = 'admin'): PersonActor => ({ ...admin, role })

type Wanted = { date?: string; isPosted?: boolean; sendsWebhooks?: boolean }

const start = (name: UndoableName, content: string, wanted: Wanted = {}, role: Role = 'admin') =>
  runOperation(startImport, world().context, person(role), {
    name,
    fileName: `${name}.csv`,
    content,
    ...wanted,
  })

const neverAborted = new AbortController().signal

async function work(importId: string, signal: AbortSignal = neverAborted): Promise<void> {
  const tenant = { businessId, environment: 'live' } as const
  const run = { id: importId, attempt: 1, tenant, payload: { importId } }
  await runImportJob.prepare(run)(world().context, signal)
}

const look = (id: string) => runOperation(getImport, world().context, person('viewer'), { id })

async function checked(name: UndoableName, content: string, wanted: Wanted = {}) {
  const { id } = await start(name, content, wanted)
  await work(id)
  return look(id)
}

async function imported(name: UndoableName, content: string, wanted: Wanted = {}) {
  const { id } = await checked(name, content, wanted)
  await runOperation(confirmImport, world().context, person(), { id })
  await work(id)
  return look(id)
}

async function undone(id: string) {
  await runOperation(undoImport, world().context, person(), { id })
  await work(id)
  return look(id)
}

async function count(table: string): Promise<number> {
  const { sql } = world().database
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from ${sql(table)} where business_id = ${businessId}`
  return row?.count ?? 0
}

const contacts = 'name\nAda\nBert\n'
const invoices =
  'invoice,contact,date,description,unit_price\n' +
  'R-7,Ada,2026-01-10,Tea,10\n' +
  'R-7,Ada,2026-01-10,Cups,5\n' +
  'R-9,Bert,2026-01-12,Tea,20\n'
const payments = 'contact,date,amount,account,invoice\nAda,2026-01-20,15,1000,R-7\n'

const documents = () => world().database.sql<{ number: string | null; status: string }[]>`
  select number, status
  from books.documents
  where business_id = ${businessId}
  order by number_position`

describe('a check', () => {
  it('lists every problem of every row and saves nothing', async () => {
    const file = 'name,email\nAda,\nBert,wrong\nada,\n,a@b.example\n'
    const record = await checked('contacts', file)
    expect(record.status).toBe('refused')
    expect(record.problems).toEqual([
      { row: 3, column: 'email', message: 'Must be an e-mail address.' },
      { row: 4, column: 'name', message: 'ada is already in row 2.' },
      { row: 5, column: 'name', message: 'Must not be empty.' },
    ])
    expect(await count('books.contacts')).toBe(0)
    const again = runOperation(confirmImport, world().context, person(), { id: record.id })
    expect(await refusal(again)).toContain('checked without a problem')
  })

  it('refuses a file whose columns are wrong before it is kept', async () => {
    expect(await refusal(start('contacts', 'email\na@b.example\n'))).toContain('missing: name')
    expect(await count('books.imports')).toBe(0)
  })

  it.each<Role>(['approver', 'member', 'viewer'])('is not for the role %s', async (role) => {
    expect(await refusal(start('contacts', contacts, {}, role))).toContain('Only an owner or admin')
  })
})

describe('an import', () => {
  it('saves the rows, keeps their events back, and is undone while nothing uses them', async () => {
    const record = await imported('contacts', contacts)
    expect(record).toMatchObject({ status: 'imported', stepsDone: 2, problems: [] })
    expect(await count('books.contacts')).toBe(2)
    expect(await count('kernel.events')).toBe(2)
    expect(await refusal(start('contacts', contacts))).toContain('already imported')
    expect((await undone(record.id)).status).toBe('undone')
    expect(await count('books.contacts')).toBe(0)
    expect((await imported('contacts', contacts)).status).toBe('imported')
  })

  it('continues behind the last batch after it was cut off, and makes no row twice', async () => {
    const names = Array.from({ length: 120 }, (_, index) => `Contact ${index}`)
    const { id } = await checked('contacts', `name\n${names.join('\n')}\n`)
    await runOperation(confirmImport, world().context, person(), { id })
    let batches = 0
    const cutOff = {
      throwIfAborted() {
        batches += 1
        if (batches > 1) throw new Error('the process ends')
      },
    } as AbortSignal
    await expect(work(id, cutOff)).rejects.toThrow('the process ends')
    expect(await look(id)).toMatchObject({ status: 'importing', stepsDone: 50 })
    await Promise.all([work(id), work(id)])
    expect(await look(id)).toMatchObject({ status: 'imported', stepsDone: 120 })
    expect(await count('books.contacts')).toBe(120)
  })

  it('stops at a row that can no longer be saved and can be undone', async () => {
    const { id } = await checked('contacts', contacts)
    await imported('contacts', 'name\nBert\n')
    await runOperation(confirmImport, world().context, person(), { id })
    await work(id)
    const record = await look(id)
    expect(record.status).toBe('stopped')
    expect(record.problems).toEqual([
      { row: 3, column: 'name', message: 'There is already a contact named Bert.' },
    ])
    expect((await undone(id)).status).toBe('undone')
    expect(await count('books.contacts')).toBe(1)
  })
})

describe('invoices with their own numbers', () => {
  it('are issued outside of the own series, paid by imported payments, and undone', async () => {
    await imported('contacts', contacts)
    const sales = await imported('invoices', invoices, { isPosted: true })
    expect(sales).toMatchObject({ status: 'imported', stepCount: 2 })
    const paid = await imported('payments', payments)
    expect(await documents()).toEqual([
      { number: 'R-7', status: 'paid' },
      { number: 'R-9', status: 'sent' },
    ])
    const refused = await undone(sales.id)
    expect(refused.status).toBe('imported')
    expect(refused.problems).toHaveLength(1)
    expect(refused.problems[0]?.message).toContain('Remove its payments')

    expect((await undone(paid.id)).status).toBe('undone')
    expect((await undone(sales.id)).status).toBe('undone')
    expect((await imported('invoices', invoices, { isPosted: true })).status).toBe('imported')
    expect(await documents()).toEqual([
      { number: expect.stringMatching(/^R-7 \(undone .{6}\)$/), status: 'void' },
      { number: expect.stringMatching(/^R-9 \(undone .{6}\)$/), status: 'void' },
      { number: 'R-7', status: 'sent' },
      { number: 'R-9', status: 'sent' },
    ])
    await expectInvariants(world().database)
  })

  it('are refused where the own pattern would assign the number again', async () => {
    await imported('contacts', contacts)
    const file = invoices.replaceAll('R-7', 'INV-2026-00009')
    const record = await checked('invoices', file, { isPosted: true })
    expect(record.problems.map(({ row, message }) => [row, message.slice(0, 52)])).toEqual([
      [2, 'Number INV-2026-00009 fits your own numbers (INV-{YY'],
    ])
  })

  it('are refused as issued where documents need an approval', async () => {
    await imported('contacts', contacts)
    await runOperation(updateOrganisation, world().context, person('owner'), { approvalsOn: true })
    const wanted = start('invoices', invoices, { isPosted: true })
    expect(await refusal(wanted)).toContain('Import them as drafts')
    expect((await imported('invoices', invoices)).status).toBe('imported')
    expect((await documents()).map(({ status }) => status)).toEqual(['draft', 'draft'])
  })
})

describe('an import', () => {
  it('is refused for a file that was uploaded twice before either was imported', async () => {
    const file = 'account,debit\n1000,500\n'
    const wanted = { date: '2025-12-31' }
    const first = await checked('opening-balances', file, wanted)
    const second = await checked('opening-balances', file, wanted)
    const confirm = (id: string) => runOperation(confirmImport, world().context, person(), { id })
    await confirm(second.id)
    await work(second.id)
    expect(await refusal(confirm(first.id))).toContain('already imported')
  })

  it('of drafts is not undone where people have issued them', async () => {
    await imported('contacts', contacts)
    const drafts = await imported('invoices', invoices)
    const [row] = await world().database.sql<{ id: string }[]>`
      select id
      from books.documents
      where business_id = ${businessId}
      order by id
      limit 1`
    await runOperation(issueDocument, world().context, person('owner'), { id: row?.id ?? '' })
    const refused = await undone(drafts.id)
    expect(refused.status).toBe('imported')
    expect(refused.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('was posted meanwhile'),
    ])
    expect((await documents()).map(({ status }) => status).sort()).toEqual(['draft', 'posted'])
  })
})

describe('other files', () => {
  it('bills are approved, and a payment finds one by the number of the supplier', async () => {
    await imported('contacts', 'name,is_supplier\nAda,yes\n')
    const file =
      'bill,contact,date,description,unit_price,account\n771,Ada,2026-01-10,Paper,8,6000\n'
    expect((await imported('bills', file, { isPosted: true })).status).toBe('imported')
    const paid = 'contact,date,amount,account,bill\nAda,2026-01-20,10,1000,771\n'
    expect((await imported('payments', paid)).problems).toEqual([])
    expect((await documents()).map(({ status }) => status)).toEqual(['paid'])
    await expectInvariants(world().database)
  })

  it('journals and opening balances are reversed on their own days', async () => {
    const lines =
      'journal,date,description,account,debit,credit\n' +
      '1,2026-01-31,Rent,6000,120,\n' +
      '1,2026-01-31,Rent,1000,,120\n'
    const journals = await imported('journals', lines)
    const balances = await imported('opening-balances', 'account,debit\n1000,500\n', {
      date: '2025-12-31',
    })
    expect([journals.status, balances.status]).toEqual(['imported', 'imported'])
    await undone(journals.id)
    await undone(balances.id)
    const entries = await world().database.sql`
      select kind, date
      from books.journal_entries
      where business_id = ${businessId}
      order by sequence`
    expect(entries).toEqual([
      { kind: 'journal.posted', date: '2026-01-31' },
      { kind: 'opening.posted', date: '2025-12-31' },
      { kind: 'journal.reversed', date: '2026-01-31' },
      { kind: 'journal.reversed', date: '2025-12-31' },
    ])
    await expectInvariants(world().database)
  })

  it('name the row of an unbalanced journal', async () => {
    const lines = 'journal,date,description,account,debit\n1,2026-01-31,Rent,6000,120\n'
    const record = await checked('journals', lines)
    expect(record.problems).toEqual([{ row: 2, column: 'lines', message: 'At least 2 lines.' }])
  })
})

describe('in whose name it works', () => {
  const leave = () =>
    world().database.transaction((tx) => deleteMembership(tx, businessId, admin.personId))
  const gone = [{ row: null, column: null, message: expect.stringContaining('has left') }]

  it('checks and saves nothing for a person who has left', async () => {
    const { id } = await start('contacts', contacts)
    await leave()
    await work(id)
    expect(await look(id)).toMatchObject({ status: 'refused', problems: gone })
  })

  it('stops an import whose person has left, which another one can undo', async () => {
    const { id } = await checked('contacts', contacts)
    await runOperation(confirmImport, world().context, person(), { id })
    await leave()
    await work(id)
    expect(await look(id)).toMatchObject({ status: 'stopped', problems: gone })
    expect(await count('books.contacts')).toBe(0)
    admin = await member(world(), { businessId, environment: 'live' }, 'admin')
    expect((await undone(id)).status).toBe('undone')
  })

  it('stops when the person loses the role', async () => {
    const { id } = await checked('contacts', contacts)
    await runOperation(confirmImport, world().context, person(), { id })
    await world().database.sql`
      update kernel.memberships
      set role = 'viewer'
      where business_id = ${businessId}
        and person_id = ${admin.personId}`
    await work(id)
    const { status, problems } = await look(id)
    expect(status).toBe('stopped')
    expect(problems[0]?.message).toContain('no longer an owner or admin')
    expect(await count('books.contacts')).toBe(0)
  })

  it('undoes nothing for a person who has left', async () => {
    const { id } = await imported('contacts', contacts)
    await runOperation(undoImport, world().context, person(), { id })
    await leave()
    await work(id)
    expect(await look(id)).toMatchObject({ status: 'imported', problems: gone })
    expect(await count('books.contacts')).toBe(2)
  })
})

it('a worker that was stalled does not overwrite what happened meanwhile', async () => {
  const { id } = await imported('contacts', contacts)
  const stale = { id, status: 'checking' } as const
  const changes = { status: 'checked', stepsDone: 0 } as const
  expect(await updateImport(world().database.sql, person(), stale, changes)).toBe(false)
  expect(await look(id)).toMatchObject({ status: 'imported', stepsDone: 2 })
})

it('an index leads to everything that may name a contact, so that undoing many takes no time', async () => {
  const missing = await world().database.sql`
    select fk.conrelid::regclass::text as table
    from pg_constraint as fk
    where fk.confrelid = 'books.contacts'::regclass
      and fk.contype = 'f'
      and fk.conparentid = 0
      and not exists (
        select
        from pg_index as index
        where index.indrelid = fk.conrelid
          and coalesce(pg_get_expr(index.indpred, index.indrelid), '(x IS NOT NULL)')
            like '(% IS NOT NULL)'
          and coalesce(pg_get_expr(index.indpred, index.indrelid), '') not like '% AND %'
          and (index.indkey::smallint[])[0:cardinality(fk.conkey) - 1] = fk.conkey
      )`
  expect(missing).toEqual([])
})

describe('its file', () => {
  const stored = async (id: string) => {
    const [row] = await world().database.sql<{ text: string; isThere: boolean }[]>`
      select import::text as text, content_sealed is not null as is_there
      from books.imports as import
      where business_id = ${businessId}
        and id = ${id}`
    return row
  }
  const expireAfter = (days: number) => {
    const { context } = world()
    const now = () => new Date(context.clock.now().getTime() + days * 86_400_000)
    const later = { ...context, clock: { ...context.clock, now } }
    return expireImportFilesSchedule.run(later, neverAborted)
  }

  it('is encrypted', async () => {
    const { id } = await checked('contacts', contacts)
    const row = await stored(id)
    expect(row?.isThere).toBe(true)
    expect(row?.text).not.toContain(Buffer.from('Bert').toString('hex'))
  })

  it('is deleted after thirty days; what it made can still be undone', async () => {
    const { id } = await imported('contacts', contacts)
    await expireAfter(29)
    expect((await stored(id))?.isThere).toBe(true)
    await expireAfter(31)
    expect((await stored(id))?.isThere).toBe(false)
    expect((await undone(id)).status).toBe('undone')
  })

  it('has to be uploaded again if it was not imported in that time', async () => {
    const { id } = await checked('contacts', contacts)
    await expireAfter(31)
    const confirmed = runOperation(confirmImport, world().context, person(), { id })
    expect(await refusal(confirmed)).toContain('Upload it again')
  })
})
