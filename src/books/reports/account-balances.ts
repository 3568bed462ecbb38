// The input of the reports.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Account } from '../accounts/account.ts'

export type AccountBalances = Pick<Account, 'id' | 'code' | 'name' | 'type' | 'subtype'> & {
  // By day, each up to and including that day; debits are positive.
  readonly balancesMinor: Readonly<Record<string, bigint>>
}

export type Balances = {
  // The last entry that they include.
  readonly ledgerSeq: bigint
  readonly accounts: readonly AccountBalances[]
}

export function balanceOn({ balancesMinor }: AccountBalances, day: string): bigint {
  return assertDefined(balancesMinor[day], `the balances of ${day} were not read`)
}
