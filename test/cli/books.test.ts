// The commands for the books: settings, invariants and the journal export.
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  exportBooks,
  lockBooks,
  setBooks,
  setNumbers,
  showBooks,
  verifyBooks,
} from '../../src/cli/commands/books/books-commands.ts'
import { type Command, type CommandOptions, UsageError } from '../../src/cli/core/command.ts'
import { readSettings } from '../../src/config.ts'
import { createPeople, type People } from '../../src/kernel/auth/people.ts'
import { type Books, newJournal } from '../support/journal.ts'
import { ledgerBalances } from '../support/ledger.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
let people: People
let books: Books

beforeAll(async () => {
  people = await createPeople(world().context, world().context)
})

beforeEach(async () => {
  books = await newJournal(world())
  await books.post('2026-01-31', [
    ['1000', 1234n],
    ['4000', -1234n],
  ])
})

async function run(command: Command, options: CommandOptions = {}) {
  const printed: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk, ...rest) => {
    printed.push(String(chunk))
    // A stream waits to be told that its piece was taken.
    const done = rest.find((one) => typeof one === 'function')
    if (done) (done as () => void)()
    return true
  })
  try {
    const commandWorld = {
      context: world().context,
      settings: readSettings([]),
      people: async () => people,
      askSecrets: async () => [],
    }
    const all = { business: books.tenant.businessId, ...options }
    const status = await command.run(commandWorld, all)
    return { status, text: printed.join('') }
  } finally {
    write.mockRestore()
  }
}

describe('cli books settings', () => {
  it('shows how the books are kept, in words and as JSON, and changes it', async () => {
    const options = { 'legal-name': 'Corner Shop GmbH', 'fiscal-year-start': '4', approvals: 'yes' }
    await run(setBooks, options)
    const { text } = await run(showBooks)
    expect(text).toMatch(/^legal_name +Corner Shop GmbH$/m)
    expect(text).toMatch(/^numbers of invoice +INV-\{YYYY\}-\{00000\}$/m)
    const json = JSON.parse((await run(showBooks, { json: true })).text)
    expect(json).toMatchObject({
      legal_name: 'Corner Shop GmbH',
      fiscal_year_start_month: 4,
      approvals_on: true,
      four_eyes_on: true,
      series: expect.arrayContaining([{ kind: 'bill', pattern: 'BILL-{YYYY}-{00000}' }]),
    })
    const sandbox = JSON.parse((await run(showBooks, { json: true, test: true })).text)
    expect(sandbox.legal_name).toBeNull()
  })

  it.each([
    [{ approvals: 'perhaps' }, UsageError],
    [{ 'fiscal-year-start': 'May' }, UsageError],
  ])('refuses %o', async (options, kind) => {
    await expect(run(setBooks, options)).rejects.toThrow(kind)
  })

  it('names what is wrong as it was typed', async () => {
    const options = { 'fiscal-year-start': '13', 'time-zone': 'Nowhere' }
    await expect(run(setBooks, options)).rejects.toMatchObject({
      error: {
        fieldErrors: {
          '--fiscal-year-start': [expect.anything()],
          '--time-zone': [expect.anything()],
        },
      },
    })
  })
})

describe('cli books lock', () => {
  it('moves the locks', async () => {
    const { text } = await run(lockBooks, { soft: '2026-02-28', hard: '2026-01-31' })
    expect(text).toBe('Soft lock: 2026-02-28\nHard lock: 2026-01-31\n')
    expect((await run(lockBooks, { soft: 'none' })).text).toContain('Soft lock: none')
    await expect(run(lockBooks, { hard: '2026-01-30' })).rejects.toThrow(
      /--hard.*only move forward/,
    )
    await expect(run(lockBooks)).rejects.toThrow(UsageError)
  })
})

describe('cli books numbers set', () => {
  it('changes a pattern', async () => {
    const { text } = await run(setNumbers, { kind: 'invoice', pattern: 'R{0000}' })
    expect(text).toBe('New number pattern for invoice: R{0000}\n')
    await expect(run(setNumbers, { kind: 'letter', pattern: 'R{0}' })).rejects.toThrow(UsageError)
  })
})

describe('cli books export', () => {
  it('writes the journal as text', async () => {
    const { status, text } = await run(exportBooks, { format: 'ledger' })
    expect(status).toBe(0)
    expect(await ledgerBalances(text, true)).toEqual({
      'Assets:1000-Bank-Account': { EUR: '12.34' },
      'Income:4000-Sales': { EUR: '-12.34' },
    })
    const sandbox = await run(exportBooks, { format: 'beancount', test: true })
    expect(sandbox.text).toContain('open Assets:1000-Bank-Account\n')
    expect(sandbox.text).not.toContain('12.34')
    await expect(run(exportBooks, { format: 'csv' })).rejects.toThrow(UsageError)
  })
})

describe('cli books verify', () => {
  it('says of each invariant of the books whether it holds', async () => {
    const { status, text } = await run(verifyBooks)
    expect(status).toBe(0)
    expect(text).toMatch(/^ok {6}I14\.3 {2}no journal entry was changed/m)
    expect(text).not.toContain('BROKEN')
  })

  it('looks at one business, or at the sandboxes alone, when that is asked for', async () => {
    const { businessId } = (await newJournal(world(), { environment: 'test' })).tenant
    await world().database.transaction(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`
        insert into kernel.events
          (business_id, environment, id, service, type, object_id, data, created_at)
        values
          (${businessId}, 'test', ${businessId}, 'books', 'contact.created', ${businessId}, '{}',
           now())`
    })
    const statusOf = async (options: CommandOptions) => (await run(verifyBooks, options)).status
    const all = { business: undefined }
    expect(await statusOf({ business: businessId })).toBe(1)
    expect(await statusOf({ business: businessId, test: true })).toBe(1)
    expect(await statusOf({ business: businessId, live: true })).toBe(0)
    expect(await statusOf({})).toBe(0)
    expect(await statusOf({ ...all, live: true })).toBe(0)
    expect(await statusOf({ ...all, test: true })).toBe(1)
    await world().database.sql`delete from kernel.events where id = ${businessId}`
  })

  it('ends with status 1 when one does not', async () => {
    const { businessId } = books.tenant
    await world().database.transaction(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`update books.journal_lines set base_minor = 1 where business_id = ${businessId} and position = 1`
    })
    const { status, text } = await run(verifyBooks, { json: true })
    expect(status).toBe(1)
    const broken = JSON.parse(text).filter(
      (one: { violations: unknown[] }) => one.violations.length > 0,
    )
    expect(broken.map(({ id }: { id: string }) => id)).toEqual(['I14.1', 'I14.3', 'I14.5', 'I14.6'])
    expect(broken[0].violations).toEqual([
      { business_id: businessId, environment: 'live', sequence: '1' },
    ])
  })
})
