// A payout of the merchant service: from the clearing account to the bank. A foreign balance leaves
// the clearing account at its average book value, and all of it when nothing is left; the
// difference to the bank's amount is realised.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { Decimal, divideRounded } from '../../kernel/money/decimal.ts'
import { findSystemAccount } from '../accounts/account-store.ts'
import type { BooksContext } from '../context.ts'
import { type ForeignBalance, listForeignBalances } from '../currencies/foreign-balance-store.ts'
import { amountWords } from '../input/amount-input.ts'
import { tidyLines } from '../journal/journal-entry.ts'
import { findEntry, listUnreversedEntries, lockHead } from '../journal/journal-store.ts'
import { firstOpenDay } from '../journal/lock-dates.ts'
import { postEntry } from '../journal/post-entry.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { requireMoney, type StatedMoney } from './require-money.ts'

const entryKind = 'payout.received'

export type Payout = {
  // The id of the payout in the merchant service. It is posted once.
  readonly id: string
  readonly date: string
  readonly currency: string
  readonly amountMinor: bigint
  // The bank account that received it.
  readonly accountId: string
} & Pick<StatedMoney, 'accountAmount' | 'confirmsRate'>

// A repeat posts nothing and returns the entry of the first.
export async function postPayout(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  payout: Payout,
): Promise<{ readonly sequence: bigint; readonly isRepeat: boolean }> {
  // If reported twice at once, the second call finds the posting of the first.
  await lockHead(tx, actor)
  const earlier = await findRepeated(tx, actor, payout)
  if (earlier !== undefined) return { sequence: earlier, isRepeat: true }
  return { sequence: await post(tx, context, actor, payout), isRepeat: false }
}

// A repeat changes nothing and must have the same content. Something else may have the same id.
async function findRepeated(tx: Tx, actor: Actor, payout: Payout): Promise<bigint | undefined> {
  const standing = await listUnreversedEntries(tx, actor, payout.id)
  const earlier = standing.find(({ kind }) => kind === entryKind)
  if (!earlier) return undefined
  const { lines } = await findEntry(tx, actor, earlier.sequence)
  const isSame = lines.some(
    ({ currency, amountMinor }) =>
      currency === payout.currency && amountMinor === -payout.amountMinor,
  )
  if (isSame) return earlier.sequence
  throw new Fault('conflict', 'Another payout is already posted with this id.')
}

async function post(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  { id, currency, amountMinor, ...payout }: Payout,
): Promise<bigint> {
  const organisation = await findOrganisation(tx, actor)
  const { baseCurrency } = organisation
  const date = firstOpenDay(organisation, payout.date)
  const { accountId } = payout
  const money = await requireMoney(tx, actor, { ...payout, date, currency, amountMinor })
  const clearing = await findSystemAccount(tx, actor, 'clearing')
  const fxRealised = await findSystemAccount(tx, actor, 'fx_realised')
  const balances = await listForeignBalances(tx, actor, baseCurrency, date)
  const held = balances.find((one) => one.accountId === clearing.id && one.currency === currency)
  const carriedMinor = held ? carried(held, amountMinor, money.baseMinor) : money.baseMinor
  const realisedMinor = carriedMinor - money.baseMinor
  const isKeptInBase = money.keptIn === baseCurrency
  const line = (account: string, inCurrency: string, baseMinor: bigint, minor: bigint) => ({
    accountId: account,
    baseMinor,
    currency: inCurrency,
    amountMinor: minor,
    contactId: null,
    openItemId: null,
    taxCodeId: null,
    description: null,
  })
  const bankMinor = isKeptInBase ? money.baseMinor : (money.accountAmountMinor ?? amountMinor)
  const sequence = await postEntry(tx, context, actor, {
    kind: entryKind,
    sourceId: id,
    reversesSequence: null,
    date,
    description: 'Payout of the payment service',
    lines: tidyLines([
      line(accountId, money.keptIn, money.baseMinor, bankMinor),
      line(clearing.id, currency, -carriedMinor, -amountMinor),
      line(fxRealised.id, baseCurrency, realisedMinor, realisedMinor),
    ]),
  })
  await recordAct(tx, context, actor, {
    action: 'payout.book',
    objectKind: 'payout',
    objectId: id,
    detail: { amount: amountWords(amountMinor, currency), date },
  })
  return sequence
}

function carried(held: ForeignBalance, amountMinor: bigint, baseMinor: bigint): bigint {
  // More is paid out than the books know: at the bank's rate, until the rest is recorded.
  if (amountMinor > held.amountMinor) return baseMinor
  const share = new Decimal(held.baseMinor * amountMinor, 0)
  return divideRounded(share, new Decimal(held.amountMinor, 0), 0).digits
}
