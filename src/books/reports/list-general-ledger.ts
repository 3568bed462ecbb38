// The general ledger of one account: the balance before a period, every line with the balance after
// it, and the closing balance. Read page by page.
import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { fromMinor } from '../../kernel/money/minor-units.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { listAccountsByIds } from '../accounts/account-store.ts'
import { defineOperation } from '../context.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import {
  type LedgerLine,
  type LedgerPage,
  type LedgerPosition,
  listLedgerLines,
} from './general-ledger-store.ts'
import { recordedUpTo } from './read-recorded-entry.ts'
import { periodInput, periodOf, recordedInput } from './report-period.ts'
import { presentFigures } from './report-schema.ts'

const limitMax = 1000
const limitDefault = 100
const afterPattern = /^(\d{4}-\d{2}-\d{2})\.(\d{1,18})\.(\d{1,4})$/

const generalLedgerInput = z.strictObject({
  accountId: uuid(),
  ...periodInput,
  ...recordedInput,
  limit: z.int().min(1).max(limitMax).default(limitDefault),
  // The `next` of the page before.
  after: z.string().regex(afterPattern, { error: 'Must be the `next` of a page.' }).optional(),
})

// The result has the format of the published reports.
export const reportGeneralLedger = defineOperation({
  name: 'report-general-ledger',
  summary: 'Read the lines of an account',
  kind: 'read',
  input: generalLedgerInput,
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, clock }, actor, input) {
    const organisation = await findOrganisation(sql, actor)
    const period = periodOf(organisation, clock.now(), input)
    const [account] = await listAccountsByIds(sql, actor, [input.accountId])
    if (!account) throw notFound('account')
    const after = readAfter(input.after, period.from)
    const upTo = await recordedUpTo(sql, actor, organisation, input.recordedOn)
    const page = await listLedgerLines(sql, actor, account, period, after, {
      limit: input.limit + 1,
      upTo,
    })
    const lines = page.lines.slice(0, input.limit)
    const last = lines.at(-1)
    const currency = organisation.baseCurrency
    return {
      ...period,
      data: {
        currency,
        ledger_seq: page.ledgerSeq,
        account: { id: account.id, code: account.code, name: account.name, type: account.type },
        ...presentFigures([{ opening: page.openingMinor, closing: page.closingMinor }], currency),
        ...presentOwn(page, account.currency),
        lines: lines.map((line) => presentLine(line, currency, account.currency)),
        next: page.lines.length > lines.length && last ? positionText(last) : null,
      },
    }
  },
})

function readAfter(text: string | undefined, from: string): LedgerPosition {
  const [, date, sequence, position] = afterPattern.exec(text ?? '') ?? []
  // Before the first line of the first day.
  if (!date || date < from) return { date: from, sequence: 0n, position: 0 }
  return { date, sequence: BigInt(sequence ?? 0), position: Number.parseInt(position ?? '0', 10) }
}

function positionText({ date, sequence, position }: LedgerPosition): string {
  return `${date}.${sequence}.${position}`
}

// For an account that is kept in another currency than the base currency.
function presentOwn({ ownOpeningMinor, ownClosingMinor }: LedgerPage, currency: string | null) {
  if (currency === null) return {}
  const ends = { own_opening: ownOpeningMinor, own_closing: ownClosingMinor }
  return { own_currency: currency, ...presentFigures([ends], currency) }
}

function presentLine(line: LedgerLine, baseCurrency: string, ownCurrency: string | null) {
  const currency = currencyOf(line.currency)
  const isDebit = line.baseMinor >= 0n
  return {
    date: line.date,
    sequence: line.sequence,
    kind: line.kind,
    source_id: line.sourceId,
    description: line.description ?? line.entryDescription,
    contact_id: line.contactId,
    currency: line.currency,
    amount: fromMinor(line.amountMinor, currency),
    ...presentFigures(
      [
        {
          debit: isDebit ? line.baseMinor : 0n,
          credit: isDebit ? 0n : -line.baseMinor,
          balance: line.balanceMinor,
        },
      ],
      baseCurrency,
    ),
    ...(ownCurrency && presentFigures([{ own_balance: line.ownBalanceMinor }], ownCurrency)),
  }
}
