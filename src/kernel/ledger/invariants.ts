// The invariants of the ledger.
import { type Invariant, violationsMax } from '../db/invariant.ts'
import {
  listDriftedBalances,
  listIncompleteEntries,
  listUnbalancedEntries,
  listUnbalancedLedgers,
} from './invariant-store.ts'

export const ledgerInvariants: readonly Invariant[] = [
  {
    id: 'I1.1',
    title: 'every ledger entry sums to zero in each currency',
    violations: (sql) => listUnbalancedEntries(sql, violationsMax),
  },
  {
    id: 'I1.2',
    title: 'every ledger entry has all its lines',
    violations: (sql) => listIncompleteEntries(sql, violationsMax),
  },
  {
    id: 'I1.3',
    title: 'the balances of every ledger sum to zero in each currency',
    violations: (sql) => listUnbalancedLedgers(sql, violationsMax),
  },
  {
    id: 'I4.1',
    title: 'every stored balance is the sum of the lines on its account',
    violations: (sql) => listDriftedBalances(sql, violationsMax),
  },
]
