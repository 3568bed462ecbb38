// The ledger's interface for the services: post, read a balance, lock one, ask why. Crediting
// takes no lock, so a busy tenant's credits do not queue behind a row; only a debit that must not
// overdraw takes one. docs/decisions/0004-ledger-balances.md has the reasoning.
import { assert } from '../basics/assert.ts'
import type { Tenant } from '../basics/tenant.ts'
import type { Context } from '../db/context.ts'
import type { Sql, Tx } from '../db/database.ts'
import {
  type AccountInCurrency,
  findBalance,
  insertCheckpoint,
  insertEntry,
  lockCheckpoint,
} from './ledger-store.ts'
import { compareLines, type Posting } from './posting.ts'

// Books the posting in the caller's transaction and returns the id of its entry.
export async function post(
  tx: Tx,
  context: Pick<Context, 'ids' | 'clock'>,
  tenant: Tenant,
  posting: Posting,
): Promise<string> {
  const id = context.ids.uuid()
  const inserted = await insertEntry(tx, tenant, { id, posting, createdAt: context.clock.now() })
  const expected = posting.lines.length
  assert(
    inserted.lineCount === expected && inserted.tailCount === expected,
    `entry ${id} booked ${inserted.lineCount} and ${inserted.tailCount} of ${expected} lines`,
  )
  return id
}

// Debits less credits: what an asset account holds. For what is owed to somebody (a liability,
// which grows by credits) read `creditBalanceOf`.
export async function balanceOf(
  tx: Tx | Sql,
  tenant: Tenant,
  account: AccountInCurrency,
): Promise<bigint> {
  return await findBalance(tx, tenant, account)
}

export async function creditBalanceOf(
  tx: Tx | Sql,
  tenant: Tenant,
  account: AccountInCurrency,
): Promise<bigint> {
  return -(await findBalance(tx, tenant, account))
}

// The credit balances that this transaction may take out, in the order of `accounts`. Until it
// ends, no other transaction that asked here can take from them; credits still arrive, so the true
// balances can only be higher. Name all accounts in one call: they are locked in one order.
// The lock must come before the reading, in a statement of its own (see `lockCheckpoint`).
export async function lockCreditBalances(
  tx: Tx,
  tenant: Tenant,
  accounts: readonly AccountInCurrency[],
): Promise<bigint[]> {
  for (const account of accounts.toSorted(compareLines)) {
    await insertCheckpoint(tx, tenant, account)
    await lockCheckpoint(tx, tenant, account)
  }
  const balances: bigint[] = []
  for (const account of accounts) balances.push(await creditBalanceOf(tx, tenant, account))
  return balances
}

export async function lockCreditBalance(
  tx: Tx,
  tenant: Tenant,
  account: AccountInCurrency,
): Promise<bigint> {
  const [balance] = await lockCreditBalances(tx, tenant, [account])
  assert(balance !== undefined, 'no balance was read')
  return balance
}
