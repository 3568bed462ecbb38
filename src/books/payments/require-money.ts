// The account of a payment, and the payment's value in the base currency.
import { invalidField } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { AccountSubtype } from '../accounts/account.ts'
import { findRate } from '../currencies/exchange-rate-store.ts'
import { requireOwnWorth, requireRate } from '../currencies/require-rate.ts'
import { amountWords, minorOf, requireBaseRange } from '../input/amount-input.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { convertMinor } from './open-item.ts'
import { type Payment, rateBetween } from './payment.ts'
import { findPaymentAccount } from './payment-account-store.ts'

export type StatedMoney = {
  readonly accountId: string
  readonly date: string
  readonly currency: string
  readonly amountMinor: bigint
  readonly rate?: string | undefined
  readonly baseAmount?: string | undefined
  // What came in or left on an account in a third currency, in that.
  readonly accountAmount?: string | undefined
  // That this amount is right, although it is far from the known rates.
  readonly confirmsRate?: boolean | undefined
}

export type Money = Pick<
  Payment,
  'accountId' | 'accountCurrency' | 'accountAmountMinor' | 'fxRate' | 'baseMinor'
> & {
  // The currency of the account.
  readonly keptIn: string
}

// As the bank states it, by the stated rate, or by the rate of the day.
export async function requireMoney(tx: Tx, tenant: Tenant, stated: StatedMoney): Promise<Money> {
  const { currency, amountMinor, rate, baseAmount } = stated
  const { baseCurrency } = await findOrganisation(tx, tenant)
  const place = await requirePlace(tx, tenant, stated, baseCurrency)
  if (rate !== undefined && baseAmount !== undefined) {
    throw invalidField('baseAmount', 'Enter the rate or the amount, not both.')
  }
  await requirePlausible(tx, tenant, stated, place, baseCurrency)
  const isOwn = currency === baseCurrency
  if (isOwn) requireOwnWorth(baseCurrency, amountMinor, { rate, baseAmount })
  if (baseAmount !== undefined && !isOwn) {
    const baseMinor = minorOf('baseAmount', baseAmount, baseCurrency)
    const fxRate = rateBetween(amountMinor, currency, baseMinor, baseCurrency)
    return { ...place, baseMinor, fxRate }
  }
  const known = isOwn ? '1' : rate
  const { fxRate, baseMinor } =
    known === undefined
      ? await worthOfDay(tx, tenant, stated, place, baseCurrency)
      : worthAt(known, stated, baseCurrency)
  if (baseMinor === 0n) {
    throw invalidField('amount', `Less than the smallest amount of ${baseCurrency}.`)
  }
  requireBaseRange('amount', baseMinor, baseCurrency)
  return { ...place, baseMinor, fxRate }
}

async function worthOfDay(
  tx: Tx,
  tenant: Tenant,
  stated: StatedMoney,
  place: Place,
  baseCurrency: string,
): Promise<Worth> {
  const worth = await findWorthOfDay(tx, tenant, stated, place, baseCurrency)
  if (worth) return worth
  const fxRate = await requireRate(tx, tenant, baseCurrency, stated.currency, stated.date)
  return worthAt(fxRate, stated, baseCurrency)
}

export type Worth = Pick<Money, 'fxRate' | 'baseMinor'>

// At the rate of the day, if one is known. On an account in a third currency, what came in there
// has the worth: by its rate, or where none is known by that of the payment.
export async function findWorthOfDay(
  sql: Sql | Tx,
  tenant: Tenant,
  stated: Omit<StatedMoney, 'accountId'>,
  { accountCurrency, accountAmountMinor }: Pick<Place, 'accountCurrency' | 'accountAmountMinor'>,
  baseCurrency: string,
): Promise<Worth | undefined> {
  const { currency, amountMinor, date } = stated
  const accountRate = accountCurrency && (await findRate(sql, tenant, accountCurrency, date))
  if (accountRate && accountAmountMinor !== null) {
    const baseMinor = convertMinor(accountAmountMinor, accountCurrency, accountRate, baseCurrency)
    return { baseMinor, fxRate: rateBetween(amountMinor, currency, baseMinor, baseCurrency) }
  }
  const fxRate = await findRate(sql, tenant, currency, date)
  return fxRate === undefined ? undefined : worthAt(fxRate, stated, baseCurrency)
}

export function worthAt(
  fxRate: string,
  { currency, amountMinor }: Pick<StatedMoney, 'currency' | 'amountMinor'>,
  baseCurrency: string,
): Worth {
  return { fxRate, baseMinor: convertMinor(amountMinor, currency, fxRate, baseCurrency) }
}

// By how much the two amounts of a payment may differ in worth, at the rates of the day. More is
// rather a typing error than a bad rate.
const plausibleFactor = 2n

async function requirePlausible(
  tx: Tx,
  tenant: Tenant,
  { currency, amountMinor, date, confirmsRate }: StatedMoney,
  { accountCurrency, accountAmountMinor }: Place,
  baseCurrency: string,
): Promise<void> {
  if (accountCurrency === null || accountAmountMinor === null || confirmsRate) return
  const rate = currency === baseCurrency ? '1' : await findRate(tx, tenant, currency, date)
  const accountRate = await findRate(tx, tenant, accountCurrency, date)
  if (rate === undefined || accountRate === undefined) return
  const worthMinor = convertMinor(amountMinor, currency, rate, baseCurrency)
  const theirMinor = convertMinor(accountAmountMinor, accountCurrency, accountRate, baseCurrency)
  const isPlausible =
    worthMinor <= plausibleFactor * theirMinor && theirMinor <= plausibleFactor * worthMinor
  if (isPlausible) return
  throw invalidField(
    'accountAmount',
    `At the rates of ${date} the payment is worth ${amountWords(worthMinor, baseCurrency)} and ` +
      `this ${amountWords(theirMinor, baseCurrency)}. If it is right, confirm it (confirms_rate).`,
  )
}

// Accounts that can have money. A loan or the owner's account is a liability.
const moneySubtypes: readonly AccountSubtype[] = [
  ...(['bank', 'credit_card', 'clearing'] as const),
  ...(['current_asset', 'current_liability', 'non_current_liability'] as const),
]

type Place = Omit<Money, 'fxRate' | 'baseMinor'>

// Where the money is, and how much of it in that account's currency.
export async function requirePlace(
  sql: Sql | Tx,
  tenant: Tenant,
  { accountId, currency, accountAmount }: Omit<StatedMoney, 'date' | 'amountMinor'>,
  baseCurrency: string,
): Promise<Place> {
  const account = await findPaymentAccount(sql, tenant, accountId)
  if (!account) throw invalidField('accountId', 'No such account.')
  if (!account.active) throw invalidField('accountId', 'The account is not active.')
  if (!moneySubtypes.includes(account.subtype) || isRevaluation(account)) {
    throw invalidField('accountId', 'Choose a bank account, or another account for money.')
  }
  // The merchant service holds money in its own currency until it is paid out.
  const keptIn = account.subtype === 'clearing' ? currency : (account.currency ?? baseCurrency)
  if (keptIn === currency || keptIn === baseCurrency) {
    if (accountAmount === undefined) {
      return { accountId, keptIn, accountCurrency: null, accountAmountMinor: null }
    }
    const instead = keptIn === currency ? 'Leave this out.' : 'State base_amount instead.'
    throw invalidField('accountAmount', `${account.name} is kept in ${keptIn}. ${instead}`)
  }
  if (accountAmount === undefined) {
    const message = `${account.name} is kept in ${keptIn} and takes no ${currency}.`
    throw invalidField(
      'accountId',
      `${message} State account_amount, what moved there in ${keptIn}.`,
    )
  }
  const accountAmountMinor = minorOf('accountAmount', accountAmount, keptIn)
  return { accountId, keptIn, accountCurrency: keptIn, accountAmountMinor }
}

function isRevaluation(account: { subtype: AccountSubtype; isSystem: boolean }): boolean {
  return account.subtype === 'current_asset' && account.isSystem
}
