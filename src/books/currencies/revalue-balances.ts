// Restates foreign open items and bank balances at the rates of a day. The difference is posted to
// a separate account against unrealised gains and reversed the next day, so that control accounts
// always equal the open items. Repeating it for a day posts only what has changed. Foreign money
// that is gone, but came and went at different rates, leaves an amount in the base currency on its
// account, which is realised.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { addDays } from '../../kernel/basics/calendar.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { findSystemAccount } from '../accounts/account-store.ts'
import { controlSubtypes } from '../accounts/control-account.ts'
import { type BooksContext, defineOperation } from '../context.ts'
import { bookDay, oldDate } from '../input/day-input.ts'
import { tidyLines } from '../journal/journal-entry.ts'
import { lockHead } from '../journal/journal-store.ts'
import { postEntry, reverseEntry } from '../journal/post-entry.ts'
import { convertMinor } from '../payments/open-item.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import {
  type ForeignBalance,
  findBaseBalance,
  listForeignBalances,
} from './foreign-balance-store.ts'
import { requireRate } from './require-rate.ts'

const revaluationInput = z.strictObject({ date: bookDay(), ...oldDate })

export type Revaluation = {
  readonly date: string
  readonly balances: readonly RevaluedBalance[]
  // The gain that the books show on that day; a loss is negative.
  readonly gainMinor: bigint
  // Null if nothing had to be posted.
  readonly sequence: bigint | null
}

export type RevaluedBalance = ForeignBalance & {
  readonly rate: string
  readonly revaluedMinor: bigint
}

export const revalueBalances = defineOperation({
  name: 'revalue-balances',
  summary: 'Revalue open foreign amounts at the rates of a day',
  kind: 'write',
  input: revaluationInput,
  scopes: [],
  roles: adminRoles,
  async run(context, actor, { date, confirmsOldDate }): Promise<Revaluation> {
    const posting = { ...context, confirmsOldDate }
    return context.database.transaction(async (tx) => {
      // Nothing else can be posted between reading and posting.
      await lockHead(tx, actor)
      const isRealised = await realiseGone(tx, posting, actor, date)
      const balances = await revalued(tx, actor, date)
      const gainMinor = balances.reduce(
        (sum, { revaluedMinor, baseMinor }) => sum + revaluedMinor - baseMinor,
        0n,
      )
      const sequence = await book(tx, posting, actor, date, gainMinor)
      if (!isRealised && sequence === null) context.call.nothingChanged()
      return { date, balances, gainMinor, sequence }
    })
  },
})

// Not for control accounts: two open items of opposite signs can add up to zero while both are
// open.
async function realiseGone(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  date: string,
): Promise<boolean> {
  const { baseCurrency } = await findOrganisation(tx, actor)
  const gone = (await listForeignBalances(tx, actor, baseCurrency, date)).filter(
    ({ amountMinor, accountSubtype }) =>
      amountMinor === 0n && !controlSubtypes.includes(accountSubtype),
  )
  if (gone.length === 0) return false
  const realised = await findSystemAccount(tx, actor, 'fx_realised')
  const sumMinor = gone.reduce((sum, { baseMinor }) => sum + baseMinor, 0n)
  const id = context.ids.uuid()
  await postEntry(tx, context, actor, {
    kind: 'revaluation.realised',
    sourceId: id,
    reversesSequence: null,
    date,
    description: 'Realised difference on foreign money',
    lines: tidyLines([
      ...gone.map(({ accountId, currency, baseMinor }) => ({
        ...emptyLine,
        accountId,
        currency,
        baseMinor: -baseMinor,
        amountMinor: 0n,
      })),
      {
        ...emptyLine,
        accountId: realised.id,
        currency: baseCurrency,
        baseMinor: sumMinor,
        amountMinor: sumMinor,
      },
    ]),
  })
  await recordAct(tx, context, actor, {
    action: 'books.realise',
    objectKind: 'revaluation',
    objectId: id,
    detail: { date, realised_minor: sumMinor.toString() },
  })
  return true
}

const emptyLine = { contactId: null, openItemId: null, taxCodeId: null, description: null }

async function revalued(tx: Tx, actor: Actor, date: string): Promise<RevaluedBalance[]> {
  const { baseCurrency } = await findOrganisation(tx, actor)
  const balances = await listForeignBalances(tx, actor, baseCurrency, date)
  const rates = new Map<string, string>()
  for (const { currency } of balances) {
    if (rates.has(currency)) continue
    rates.set(currency, await requireRate(tx, actor, baseCurrency, currency, date))
  }
  return balances.map((balance) => {
    const { amountMinor, currency } = balance
    const rate = rates.get(currency) ?? '1'
    return {
      ...balance,
      rate,
      revaluedMinor: convertMinor(amountMinor, currency, rate, baseCurrency),
    }
  })
}

async function book(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  date: string,
  gainMinor: bigint,
): Promise<bigint | null> {
  const { baseCurrency } = await findOrganisation(tx, actor)
  const own = await findSystemAccount(tx, actor, 'current_asset')
  const unrealised = await findSystemAccount(tx, actor, 'fx_unrealised')
  const changeMinor = gainMinor - (await findBaseBalance(tx, actor, own.id, date))
  if (changeMinor === 0n) return null
  const line = (accountId: string, baseMinor: bigint) => ({
    accountId,
    baseMinor,
    currency: baseCurrency,
    amountMinor: baseMinor,
    ...emptyLine,
  })
  const id = context.ids.uuid()
  const sequence = await postEntry(tx, context, actor, {
    kind: 'revaluation.posted',
    sourceId: id,
    reversesSequence: null,
    date,
    description: `Revaluation at the rates of ${date}`,
    lines: [line(own.id, changeMinor), line(unrealised.id, -changeMinor)],
  })
  await reverseEntry(tx, context, actor, {
    sequence,
    kind: 'revaluation.reversed',
    date: addDays(date, 1),
    description: `Reversal of the revaluation of ${date}`,
  })
  await recordAct(tx, context, actor, {
    action: 'books.revalue',
    objectKind: 'revaluation',
    objectId: id,
    detail: { date, change_minor: changeMinor.toString() },
  })
  return sequence
}
