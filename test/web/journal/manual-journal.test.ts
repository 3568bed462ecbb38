// Manual journals and the settings of the books, as a person enters them.
import { beforeAll, describe, expect, it } from 'vitest'
import { type AppVisitor, appVisitor, fieldsOf } from '../../support/app-visitor.ts'
import { type Books, newJournal } from '../../support/journal.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let books: Books
let owner: AppVisitor
let viewer: AppVisitor

beforeAll(async () => {
  books = await newJournal(world())
  owner = await appVisitor(world(), books.tenant.businessId)
  viewer = await appVisitor(world(), books.tenant.businessId, 'viewer')
})

const journal = (debit: string, credit: string) => ({
  date: '2026-03-31',
  description: 'Rent of March',
  account_1: books.accountId('6350'),
  debit_1: debit,
  text_1: 'Shop',
  // Rows may stay empty in between.
  account_3: books.accountId('1000'),
  credit_3: credit,
})

const pageOf = (answer: { headers: Headers }) =>
  (answer.headers.get('location') ?? '').replace(/^\/b\/[^/]+/, '')

describe('a manual journal', () => {
  it('is posted with amounts as people type them, and reversed once', async () => {
    const posted = await owner.submit('/journal/new', journal('1,250.50', '1250.50'))
    expect(posted.status).toBe(303)
    const page = pageOf(posted)
    const shown = (await viewer.get(page)).text
    expect(shown).toMatch(/6350 .*Shop.*1,250\.50/s)
    expect(shown).not.toContain('Reverse')

    const reversed = await owner.submit(`${page}/reverse`, { date: '2026-04-01' })
    expect(reversed.status).toBe(303)
    expect((await owner.get(pageOf(reversed))).text).toContain(`href="/b/`)
    const after = await owner.get(page)
    expect(after.text).toContain('Reversed by')
    expect(after.text).not.toContain(`${page}/reverse`)
    const again = await owner.submit(`${page}/reverse`, { date: '2026-04-01' })
    expect(again.status).toBe(404)
  })

  it('is refused with the difference, and keeps what was typed', async () => {
    const refused = await owner.submit('/journal/new', journal('100', '90'))
    expect(refused.status).toBe(422)
    expect(refused.text).toMatch(/The debits are [^<]*10[^<]* more than the credits/)
    expect(refused.text).toContain('value="Rent of March"')
    expect(refused.text).toMatch(/name="credit_3"[^>]*value="90"|value="90"[^>]*name="credit_3"/)
    const typo = await owner.submit('/journal/new', journal('ten', '10'))
    expect(typo.text).toContain('Enter the amount in figures')
  })

  it.each([
    ['debit_2', '5'],
    ['credit_2', '5'],
    ['text_2', 'Deposit'],
  ])('with a row that has %s but no account is refused at the row', async (name, text) => {
    const refused = await owner.submit('/journal/new', { ...journal('10', '10'), [name]: text })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('<a href="#account_2">Choose an account.</a>')
    expect(refused.text).toContain('id="account_2-error"')
    expect(fieldsOf(refused.text)).toMatchObject({ [name]: text, debit_1: '10' })
  })
})

describe('the books', () => {
  it('are locked up to a day, and a journal before it is refused', async () => {
    const locked = await owner.submit('/settings/lock-dates', { hardLockedUntil: '2025-12-31' })
    expect(locked.status).toBe(303)
    const refused = await owner.submit('/journal/new', {
      ...journal('10', '10'),
      date: '2025-12-31',
    })
    expect(refused.status).not.toBe(303)
    expect(refused.text).toContain('locked up to and including 2025-12-31')
    const back = await owner.submit('/settings/lock-dates', { hardLockedUntil: '2025-06-30' })
    expect(back.status).not.toBe(303)
  })

  it('keep their settings', async () => {
    const saved = await owner.submit('/settings/books', {
      fiscalYearStartMonth: '4',
      defaultPaymentTermsDays: '21',
      paymentDetails: 'Bank 12-34',
    })
    expect(saved.status).toBe(303)
    const form = (await owner.get('/settings/books')).text
    expect(form).toMatch(/<option[^>]*selected[^>]*>April/)
    expect(form).toContain('value="Bank 12-34"')
    const wrong = await owner.submit('/settings/books', { defaultPaymentTermsDays: 'many' })
    expect(wrong.text).toContain('Enter a number of days')
  })
})

describe('opening balances', () => {
  const day = { date: '2026-10-31' }

  it('show what is missing to balance and keep what was typed', async () => {
    const typed = { ...day, debit_1000: '1,500', credit_3000: '1200' }
    const refused = await owner.submit('/journal/opening-balances', typed)
    expect(refused.status).toBe(422)
    expect(refused.text).toMatch(/The debits are 300(\.00)? [A-Z]{3} more than the credits/)
    expect(totalsIn(refused.text)).toEqual([
      ['Total', '€1,500.00', '€1,200.00'],
      ['Missing to balance', '', '€300.00'],
    ])
    expect(refused.text).toContain('value="1,500"')
    const both = { ...day, debit_1000: '5', credit_1000: '5' }
    const twice = await owner.submit('/journal/opening-balances', both)
    expect(twice.text).toContain('Enter a debit or a credit, not both.')
    const none = await owner.submit('/journal/opening-balances', day)
    expect(totalsIn(none.text)[1]).toEqual(['Nothing entered yet', '', ''])
    expect(none.text).toContain('at least one account')
  })

  it('are posted, with the rest to equity if the person wants it', async () => {
    const typed = { ...day, debit_1000: '1,500', credit_3000: '1200', rest: 'post' }
    const posted = await owner.submit('/journal/opening-balances', typed)
    expect(posted.status).toBe(303)
    expect((await viewer.get(pageOf(posted))).text).toMatch(/Opening balance equity.*300/s)
    expect((await viewer.get('/journal')).text).not.toContain('/journal/opening-balances')
    expect((await viewer.get('/journal/opening-balances')).status).toBe(403)
  })
})

// The rows below the grid.
function totalsIn(text: string): string[][] {
  const rows = [...text.matchAll(/<tr data-total.*?<\/tr>/gs)]
  return rows.map(([row]) =>
    [...row.matchAll(/<th[^>]*>(.*?)<\/th>|<span[^>]*>(.*?)<\/span>/gs)].map(
      ([, label = '', amount = '']) => label || amount,
    ),
  )
}
