// What the reports are computed from.
import type { Account } from '../accounts/account.ts'

export type AccountBalances = Pick<Account, 'id' | 'code' | 'name' | 'type' | 'subtype'> & {
  // Up to and including each of the days that were asked for; debits are positive.
  readonly balancesMinor: readonly bigint[]
}

export type Balances = {
  // The last entry that is in them.
  readonly ledgerSeq: bigint
  readonly accounts: readonly AccountBalances[]
}
