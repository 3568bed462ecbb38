// The balances of a business in one currency.
//
// pending    collected, and not settled by the provider yet
// available  can be paid out now: settled, less what is reserved. Refunds may take it below zero.
// reserved   promised to payouts and refunds that have not ended
// wallet     put aside inside the service
import { z } from 'zod'
import { currencyOf } from '../../kernel/money/currency.ts'
import { fromMinor } from '../../kernel/money/minor-units.ts'
import { majorNumber, minorNumber } from '../../kernel/operations/schemas.ts'
import { ledgerAccounts } from '../ledger-accounts.ts'

export const balanceParts = ['pending', 'available', 'reserved', 'wallet'] as const
export type BalancePart = (typeof balanceParts)[number]

export type BusinessBalance = {
  readonly currency: string
  readonly pendingMinor: bigint
  readonly availableMinor: bigint
  readonly reservedMinor: bigint
  readonly walletMinor: bigint
}

// The ledger account behind each part. Reservations are not posted; the payouts and refunds explain
// them.
export const accountOfPart: Readonly<Record<BalancePart, string | undefined>> = {
  pending: ledgerAccounts.merchantPending,
  available: ledgerAccounts.merchantAvailable,
  reserved: undefined,
  wallet: ledgerAccounts.merchantWallet,
}

export const balanceSchema = z.object({
  currency: z.string(),
  pending: majorNumber().meta({ description: 'Collected, and not settled by the provider yet.' }),
  available: majorNumber().meta({
    description: 'Can be paid out now. Refunds can take it below zero.',
  }),
  reserved: majorNumber().meta({
    description: 'Promised to payouts and refunds that are not finished.',
  }),
  wallet: majorNumber().meta({ description: 'Set aside inside the service.' }),
  pending_minor: minorNumber(),
  available_minor: minorNumber(),
  reserved_minor: minorNumber(),
  wallet_minor: minorNumber(),
})

export function presentBalance(balance: BusinessBalance) {
  const { currency, pendingMinor, availableMinor, reservedMinor, walletMinor } = balance
  const major = (amountMinor: bigint) => fromMinor(amountMinor, currencyOf(currency))
  return {
    currency,
    pending: major(pendingMinor),
    available: major(availableMinor),
    reserved: major(reservedMinor),
    wallet: major(walletMinor),
    pending_minor: pendingMinor,
    available_minor: availableMinor,
    reserved_minor: reservedMinor,
    wallet_minor: walletMinor,
  }
}
