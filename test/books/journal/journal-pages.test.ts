// The journal as a file, over HTTP, for signed-in people.
import { beforeAll, describe, expect, it } from 'vitest'
import { exportFormats } from '../../../src/books/export/journal-text.ts'
import { type Role, roles } from '../../../src/kernel/auth/actor.ts'
import { createPeople } from '../../../src/kernel/auth/people.ts'
import { signInPages } from '../../../src/kernel/web/sign-in-pages.tsx'
import { type Books, newJournal } from '../../support/journal.ts'
import { ledgerBalances } from '../../support/ledger.ts'
import { type PeopleWorld, person, signedIn } from '../../support/people.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let peopleWorld: PeopleWorld
let books: Books

beforeAll(async () => {
  const { context } = world()
  const people = await createPeople(context, context)
  const pages = signInPages(people, () => '/')
  peopleWorld = { context, people, pages, logged: [], waited: [] }
  books = await newJournal(world())
  await books.post('2026-01-31', [
    ['1000', 1234n],
    ['4000', -1234n],
  ])
})

async function member(memberships: [businessId: string, role: Role][], totp = true) {
  const who = await person(peopleWorld, { totp })
  const { people, context } = peopleWorld
  for (const [businessId, role] of memberships) {
    await context.database.transaction((tx) =>
      people.addMembership(tx, businessId, who.personId, role),
    )
  }
  const visitor = await signedIn(peopleWorld, who)
  const headers = Object.fromEntries(visitor.headers())
  const get = (path: string, method = 'GET') => world().call(method, path, { headers })
  return { personId: who.personId, get }
}

async function exports(businessId: string) {
  return world().database.sql`
    select actor_id, detail
    from kernel.audit_log
    where business_id = ${businessId}
      and action = 'journal.export'`
}

describe('the journal', () => {
  it.each(exportFormats)('is there for %s, as a file that no cache keeps', async (format) => {
    const { get } = await member([[books.tenant.businessId, 'owner']])
    const answer = await get(`/books/journal.${format}`)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="journal-live.${format}"`,
      'x-content-type-options': 'nosniff',
    })
    expect(answer.text).toContain('Assets:1000-Bank-Account')
    expect(answer.text).toContain('12.34 EUR')
  })

  it('is what ledger reads', async () => {
    const { get } = await member([[books.tenant.businessId, 'approver']])
    expect(await ledgerBalances((await get('/books/journal.ledger')).text, true)).toEqual({
      'Assets:1000-Bank-Account': { EUR: '12.34' },
      'Income:4000-Sales': { EUR: '-12.34' },
    })
  })

  it('of the sandbox is another one', async () => {
    const { get } = await member([[books.tenant.businessId, 'admin']])
    const { status, text, headers } = await get('/books/journal.beancount?environment=test')
    expect(status).toBe(200)
    expect(headers.get('content-disposition')).toContain('journal-test.beancount')
    expect(text).toContain('open Assets:1000-Bank-Account\n')
    expect(text).not.toContain('12.34')
    expect((await get('/books/journal.ledger?environment=both')).status).toBe(400)
  })

  it('that was handed out is in the audit log', async () => {
    const own = await newJournal(world())
    const { personId, get } = await member([[own.tenant.businessId, 'owner']])
    await get('/books/journal.hledger')
    expect(await exports(own.tenant.businessId)).toEqual([
      { actorId: personId, detail: { format: 'hledger' } },
    ])
  })

  it('has no body for HEAD, and no one has taken it then', async () => {
    const { businessId } = (await newJournal(world())).tenant
    const { get } = await member([[businessId, 'owner']])
    expect(await get('/books/journal.ledger', 'HEAD')).toMatchObject({ status: 200, text: '' })
    expect(await exports(businessId)).toEqual([])
  })

  it('is linked from the settings, for people who may export it', async () => {
    const { businessId } = books.tenant
    const link = `href="/books/journal.ledger?business=${businessId}"`
    const owner = await member([[businessId, 'owner']])
    expect((await owner.get(`/b/${businessId}/settings`)).text).toContain(link)
    const viewer = await member([[businessId, 'viewer']])
    expect((await viewer.get(`/b/${businessId}/settings`)).text).not.toContain(link)
  })
})

describe('the journal is not handed out', () => {
  it('to no one in particular, who is asked to sign in and comes back', async () => {
    const path = '/books/journal.ledger?environment=test'
    const { status, headers, text } = await world().call('GET', path)
    expect([status, text]).toEqual([303, ''])
    expect(headers.get('location')).toBe(`/sign-in?next=${encodeURIComponent(path)}`)
  })

  it('to people of other businesses, nor to those of none', async () => {
    const { businessId } = books.tenant
    const path = `/books/journal.ledger?business=${businessId}`
    const stranger = await member([[await world().business(), 'owner']])
    expect((await stranger.get(path)).status).toBe(404)
    const memberless = await member([])
    expect((await memberless.get(path)).status).toBe(404)
    expect((await memberless.get('/books/journal.ledger')).status).toBe(404)
  })

  it.each(roles)('to every role: %s', async (role) => {
    const own = await newJournal(world())
    const { businessId } = own.tenant
    const { get } = await member([[businessId, role]])
    const isAllowed = role === 'owner' || role === 'admin' || role === 'approver'
    const { status, text } = await get(`/books/journal.ledger?business=${businessId}`)
    expect(status).toBe(isAllowed ? 200 : 403)
    if (!isAllowed) expect(text).toContain('Only an owner, admin or approver can do this.')
    expect(await exports(businessId)).toHaveLength(isAllowed ? 1 : 0)
  })

  it('by the rights of another business of theirs', async () => {
    const other = await newJournal(world())
    const { get } = await member([
      [books.tenant.businessId, 'viewer'],
      [other.tenant.businessId, 'owner'],
    ])
    const status = async (query: string) => (await get(`/books/journal.ledger${query}`)).status
    expect(await status(`?business=${books.tenant.businessId}`)).toBe(403)
    expect(await status(`?business=${other.tenant.businessId}`)).toBe(200)
    expect(await status('')).toBe(400)
  })

  it('to an owner who has only a password', async () => {
    const { get } = await member([[books.tenant.businessId, 'owner']], false)
    const { status, text } = await get('/books/journal.ledger')
    expect(status).toBe(403)
    expect(text).toContain('Set up a second factor first')
  })

  it('for a key', async () => {
    const { text: key } = await world().key({ service: 'books', ...books.tenant })
    expect((await world().call('GET', '/books/journal.ledger', { key })).status).toBe(303)
  })
})
