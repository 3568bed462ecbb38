// The rules of a payout: its destination, that the balance covers it, and the limit of a day. The
// first two are checked on request, and again when a held payout is approved.
import { startOfUtcDay } from '../../kernel/basics/clock.ts'
import { brokenRule, invalidField, permissionDenied } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { lockCreditBalance } from '../../kernel/ledger/ledger.ts'
import type { ServiceContext } from '../../kernel/operations/service-context.ts'
import { findOwnThresholdMinor } from '../approvals/threshold-store.ts'
import { listBusinessBalances } from '../balances/balance-store.ts'
import {
  accountEnding,
  isOfAccount,
  type MaskedAccount,
  openAccount,
  type SettlementAccount,
} from '../business/settlement-account.ts'
import { findSettlementAccount } from '../business/settlement-account-store.ts'
import { ledgerAccounts } from '../ledger-accounts.ts'
import type { Payout } from './payout.ts'
import { findPaidOutSinceMinor } from './payout-store.ts'

export type BankDetails = { readonly [field in keyof SettlementAccount]?: string | undefined }

// What a person saw of the account.
export type ShownAccount = Pick<MaskedAccount, 'bankCode' | 'accountEnding' | 'beneficiaryName'>

type MeantAccount = {
  readonly currency: string
  readonly said?: BankDetails | undefined
  readonly shownAccount?: ShownAccount | undefined
}

// The account on file for the currency, which is the only possible destination. The details that
// the caller sent must match it: who means another account must not send money to this one.
export async function resolveDestination(
  tx: Tx,
  { secrets }: Pick<ServiceContext, 'secrets'>,
  tenant: Tenant,
  { currency, said = {}, shownAccount }: MeantAccount,
): Promise<SettlementAccount> {
  const stored = await findSettlementAccount(tx, tenant, currency)
  if (!stored) {
    throw brokenRule('There is no settlement account on file to pay out to.')
  }
  const account = openAccount(secrets, stored)
  if (!isOfAccount(account, said)) {
    throw permissionDenied('The bank details differ from the settlement account on file.')
  }
  if (shownAccount && !isShown(account, shownAccount)) {
    throw invalidField('destinationType', 'The bank account has changed. Check it and try again.')
  }
  return account
}

function isShown(account: SettlementAccount, shown: ShownAccount): boolean {
  return (
    account.bankCode === shown.bankCode &&
    account.beneficiaryName === shown.beneficiaryName &&
    accountEnding(account.accountNumber) === shown.accountEnding
  )
}

// What remains of the balance after this amount is reserved. Until the transaction ends, no one
// else can reserve any of it: everyone who reserves takes this lock first. Refunds
// on their way count as gone: otherwise a payout could take the money that they were allowed by,
// and the balance would be overdrawn without a second person.
export async function reserveBalance(
  tx: Tx,
  tenant: Tenant,
  currency: string,
  amountMinor: bigint,
): Promise<bigint> {
  await lockBalance(tx, tenant, currency)
  const balances = await listBusinessBalances(tx, tenant)
  const balance = balances.find((one) => one.currency === currency)
  const leftMinor = (balance?.availableMinor ?? 0n) - amountMinor
  if (leftMinor < 0n) throw brokenRule('The available balance is too low.')
  return leftMinor
}

export async function lockBalance(tx: Tx, tenant: Tenant, currency: string): Promise<void> {
  await lockCreditBalance(tx, tenant, { account: ledgerAccounts.merchantAvailable, currency })
}

export type DailyCheck = {
  readonly isHeld: boolean
  // The current limit, or null if none is set.
  readonly limitMinor: bigint | null
}

// Whether a payout takes the payouts of its day above the limit of the business, so that a large
// one can't be split into small ones. Counts all payouts of the day in UTC that were not cancelled
// and did not fail, including held ones. The caller holds the lock of the balance, so that
// concurrent payouts are counted one after the other.
export async function checkDailyPayouts(
  tx: Tx,
  tenant: Tenant,
  { currency, amountMinor, createdAt }: Payout,
): Promise<DailyCheck> {
  const { businessId } = tenant
  const limitMinor = await findOwnThresholdMinor(tx, businessId, 'daily_payouts', currency)
  if (limitMinor === undefined) return { isHeld: false, limitMinor: null }
  const beforeMinor = await findPaidOutSinceMinor(tx, tenant, currency, startOfUtcDay(createdAt))
  return { isHeld: beforeMinor + amountMinor > limitMinor, limitMinor }
}
