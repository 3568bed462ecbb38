// The account of a payment, and the payment's value in the base currency.
import { invalidField } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { AccountSubtype } from '../accounts/account.ts'
import { requireOwnWorth, requireRate } from '../currencies/require-rate.ts'
import { minorOf, requireBaseRange } from '../input/amount-input.ts'
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
  const { currency, amountMinor, date, rate, baseAmount } = stated
  const { baseCurrency } = await findOrganisation(tx, tenant)
  const place = await requirePlace(tx, tenant, stated, baseCurrency)
  if (rate !== undefined && baseAmount !== undefined) {
    throw invalidField('baseAmount', 'Enter the rate or the amount, not both.')
  }
  const isOwn = currency === baseCurrency
  if (isOwn) requireOwnWorth(baseCurrency, amountMinor, { rate, baseAmount })
  if (baseAmount !== undefined && !isOwn) {
    const baseMinor = minorOf('baseAmount', baseAmount, baseCurrency)
    const fxRate = rateBetween(amountMinor, currency, baseMinor, baseCurrency)
    return { ...place, baseMinor, fxRate }
  }
  const fxRate =
    (isOwn ? '1' : rate) ?? (await requireRate(tx, tenant, baseCurrency, currency, date))
  const baseMinor = convertMinor(amountMinor, currency, fxRate, baseCurrency)
  if (baseMinor === 0n) {
    throw invalidField('amount', `Less than the smallest amount of ${baseCurrency}.`)
  }
  requireBaseRange('amount', baseMinor, baseCurrency)
  return { ...place, baseMinor, fxRate }
}

// Accounts that can have money. A loan or the owner's account is a liability.
const moneySubtypes: readonly AccountSubtype[] = [
  ...(['bank', 'credit_card', 'clearing'] as const),
  ...(['current_asset', 'current_liability', 'non_current_liability'] as const),
]

type Place = Omit<Money, 'fxRate' | 'baseMinor'>

async function requirePlace(
  tx: Tx,
  tenant: Tenant,
  { accountId, currency, accountAmount }: StatedMoney,
  baseCurrency: string,
): Promise<Place> {
  const account = await findPaymentAccount(tx, tenant, accountId)
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
