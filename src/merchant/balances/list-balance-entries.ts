// "Why this number?": everything behind one part of a balance, newest first.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import {
  type BookedLine,
  type LinePosition,
  listLinesBehind,
} from '../../kernel/ledger/ledger-store.ts'
import type { Payout } from '../payouts/payout.ts'
import { listReservingPayouts } from '../payouts/payout-store.ts'
import { accountOfPart, type BalancePart } from './balance.ts'

export type BalanceEntries = {
  // What was booked: a credit, which adds to the balance, is positive here.
  readonly lines: readonly BookedLine[]
  // What is promised: all that is reserved, and what makes `available` less than what is booked.
  readonly payouts: readonly Payout[]
}

export async function listBalanceEntries(
  sql: Sql | Tx,
  tenant: Tenant,
  { part, currency }: { readonly part: BalancePart; readonly currency: string },
  page: { readonly limit: number; readonly before?: LinePosition },
): Promise<BalanceEntries> {
  const account = accountOfPart[part]
  const lines = account ? await listLinesBehind(sql, tenant, { account, currency }, page) : []
  const isPromised = part === 'available' || part === 'reserved'
  return {
    lines: lines.map((line) => ({ ...line, amountMinor: -line.amountMinor })),
    payouts: isPromised ? await listReservingPayouts(sql, tenant, currency, page.limit) : [],
  }
}
