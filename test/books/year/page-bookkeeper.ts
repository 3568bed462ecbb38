// Keeps books through the forms of the pages, as a person without JavaScript does: opens a form,
// fills in what the step says, and leaves the rest as the form proposes it.
import { expect } from 'vitest'
import { isSale } from '../../../src/books/documents/document-status.ts'
import { type AppVisitor, fieldsOf } from '../../support/app-visitor.ts'
import type { CallResult, World } from '../../support/world.ts'
import type { Bookkeeper, JournalRow, Money, Paper, PaperFacts } from './bookkeeper.ts'

type Fields = Record<string, string>

export function pageBookkeeper(world: World, visitor: AppVisitor): Bookkeeper {
  // Where the form leads when it is done. What a person chooses depends on what the form offers.
  async function submit(
    path: string,
    fields: Fields | ((html: string) => Fields) = {},
  ): Promise<string> {
    const { text } = await visitor.get(path)
    const own = typeof fields === 'function' ? fields(text) : fields
    return doneAt(path, await visitor.post(path, { ...fieldsOf(text), ...own }))
  }
  // The buttons of a page are forms without fields.
  async function press(path: string): Promise<string> {
    const answer = await visitor.post(path, { form_token: world.context.ids.uuid() })
    return doneAt(path, answer)
  }
  return {
    async addAccount({ currency, ...account }) {
      await submit('/accounts/new', { ...account, currency: currency ?? '' })
    },
    async renumber(code, newCode) {
      await submit('/accounts/grid', (html) => {
        const isMeant = ([name, value]: [string, string]) =>
          name.startsWith('code_') && value === code
        const [field = ''] = Object.entries(fieldsOf(html)).find(isMeant) ?? []
        return { [field]: newCode }
      })
    },
    async addTax(name, rate, isInclusive) {
      const fields = { name, rate_0: `${rate} %`, isInclusive: isInclusive ? 'yes' : 'no' }
      await submit('/settings/taxes/new', fields)
    },
    async addContact({ name, type, currency }) {
      await submit('/contacts/new', { name, type, currency: currency?.toLowerCase() ?? '' })
    },
    importRates: async (csv) => void (await submit('/settings/currencies/rates/import', { csv })),
    setRate: async (currency, date, rate) =>
      void (await submit('/settings/currencies/rates/new', { currency, date, rate })),
    async postOpeningBalances(date, balances) {
      const sides = balances.flatMap(({ account, ...side }) =>
        Object.entries(side).map(([name, amount]) => [`${name}_${account}`, typed(amount)]),
      )
      await submit('/journal/opening-balances', { date, ...Object.fromEntries(sides) })
    },
    async draft(kind, { date, rate, ...facts }) {
      const path = `${sidePath({ kind })}/new?kind=${kind}`
      const stated = rate ? { fxRate: rate } : {}
      return { kind, id: idIn(await submit(path, { ...editorFields(facts), date, ...stated })) }
    },
    changeDate: async (paper, date) => void (await submit(`${pathOf(paper)}/edit`, { date })),
    book: async (paper) =>
      void (await submit(`${pathOf(paper)}/${isSale(paper.kind) ? 'issue' : 'approve'}`)),
    pay: async (paper, money) => void (await submit(`${pathOf(paper)}/payment`, moved(money))),
    async undoPayment(paper, date) {
      const { text } = await visitor.get(pathOf(paper))
      const form = /(\/(?:invoices|bills)\/[^"]*\/payments\/[^"]*\/remove)"/.exec(text)?.[1] ?? ''
      await submit(form, { date })
    },
    async credit(paper, date) {
      const id = idIn(await press(`${pathOf(paper)}/credit`))
      const credit = { kind: isSale(paper.kind) ? 'credit_note' : 'supplier_credit', id } as const
      await submit(`${pathOf(credit)}/edit`, { date })
      return credit
    },
    async useCredit(paper, credit, date) {
      await submit(`${pathOf(paper)}/use-credit`, (html) => ({
        itemId: credit === 'overpayment' ? optionIn(html, 'itemId', 'Payment of') : credit.id,
        date,
      }))
    },
    refund: async (credit, money) => void (await submit(`${pathOf(credit)}/refund`, moved(money))),
    async writeOff(paper, { account, claimsTaxRelief, amount, date }) {
      await submit(`${pathOf(paper)}/write-off`, (html) => ({
        amount: typed(amount),
        date,
        ...(claimsTaxRelief && { claimsTaxRelief: 'yes' }),
        ...(account && { accountId: optionIn(html, 'accountId', account) }),
      }))
    },
    void: async (paper, date) => void (await submit(`${pathOf(paper)}/void`, { date })),
    async invoiceQuote(facts) {
      const quote = await submit('/quotes/new', editorFields(facts))
      await submit(`${quote}/send`)
      const { text } = await visitor.get(quote)
      const [, hosted = ''] =
        /(\/quotes\/[A-Za-z0-9_-]+)(?="|<)/.exec(text.replaceAll(/\/b\/[^"<]*/g, '')) ?? []
      const answer = await world.call('POST', hosted, {
        rawBody: 'decision=accept&name=Ada',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: world.context.publicUrl,
        },
      })
      expect([hosted, answer.status]).toEqual([hosted, 303])
      return { kind: 'invoice', id: idIn(await press(`${quote}/invoice`)) }
    },
    postJournal: (date, description, rows) =>
      submit('/journal/new', (html) => ({ date, description, ...journalFields(html, rows) })),
    reverse: async (journal, date) => void (await submit(`${journal}/reverse`, { date })),
    revalue: async (date) => void (await submit('/settings/currencies/revalue', { date })),
    lock: async (until) => void (await submit('/settings/lock-dates', { softLockedUntil: until })),
  }
}

function sidePath({ kind }: Pick<Paper, 'kind'>): string {
  return isSale(kind) ? '/invoices' : '/bills'
}

function pathOf(paper: Paper): string {
  return `${sidePath(paper)}/${paper.id}`
}

function idIn(path: string): string {
  return path.split('/').at(-1) ?? ''
}

// The place within the business. A refusal fails with what the page says.
function doneAt(path: string, { status, headers, text }: CallResult): string {
  if (status !== 303) {
    const words = text.replaceAll(/<(script|style|select).*?<\/\1>|<[^>]*>/gs, ' ')
    expect.fail(`${path} answered ${status}: ${words.replaceAll(/\s+/g, ' ').slice(0, 2000)}`)
  }
  return (headers.get('location') ?? '').replace(/^\/b\/[^/]+/, '')
}

function optionIn(html: string, field: string, text: string): string {
  const select = new RegExp(`<select[^>]*name="${field}".*?</select>`, 's').exec(html)?.[0] ?? ''
  return new RegExp(`<option[^>]*value="([^"]*)"[^>]*>${text} `).exec(select)?.[1] ?? ''
}

const moved =
  ({ account, ...money }: Money) =>
  (html: string) => ({
    ...money,
    amount: typed(money.amount),
    accountId: optionIn(html, 'accountId', account),
  })

function journalFields(html: string, rows: readonly JournalRow[]): Fields {
  const fields: Fields = {}
  for (const [index, { account, ...side }] of rows.entries()) {
    const row = index + 1
    fields[`account_${row}`] = optionIn(html, `account_${row}`, account)
    for (const [name, amount] of Object.entries(side)) fields[`${name}_${row}`] = typed(amount)
  }
  return fields
}

// As people write it.
function typed(amount: string): string {
  const [whole = '', ...decimals] = amount.split('.')
  return [whole.replaceAll(/\B(?=(\d{3})+$)/g, ','), ...decimals].join('.')
}

function editorFields({ contact, currency, lines }: Omit<PaperFacts, 'date' | 'rate'>): Fields {
  const fields: Fields = { contact, ...(currency && { currency }) }
  for (const [index, { account, tax = '', unitPrice, ...line }] of lines.entries()) {
    const own = { ...line, unitPrice: typed(unitPrice), account, taxCode: tax }
    for (const [name, value] of Object.entries(own)) fields[`line-${index}-${name}`] = value
  }
  return fields
}
