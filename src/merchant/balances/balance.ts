// What a business has in one currency, as people see it.
//
// pending    collected, and not settled by the provider yet
// available  can be paid out now: settled, less what is reserved. Refunds may take it below zero.
// reserved   promised to payouts that have not ended
// wallet     put aside inside the service
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

// What is booked on its account explains a part; a reservation is not booked, its payouts do.
export const accountOfPart: Readonly<Record<BalancePart, string | undefined>> = {
  pending: ledgerAccounts.merchantPending,
  available: ledgerAccounts.merchantAvailable,
  reserved: undefined,
  wallet: ledgerAccounts.merchantWallet,
}
