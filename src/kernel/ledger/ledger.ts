// The ledger's interface for the services: post, read a balance, lock a balance, list the lines
// behind it. Credits take no lock, so the credits of a busy tenant don't queue; only a debit that
// must not overdraw takes one. See docs/decisions/0004-ledger-balances.md.
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

// Stores the posting in the caller's transaction and returns the id of its entry.
export async function post(
  tx: Tx,
  context: Pick<Context, 'ids' | 'clock'>,
  tenant: Tenant,
  posting: Posting,
): Promise<string> {
  const id = context.ids.uuid()
  await insertEntry(tx, tenant, { id, posting, createdAt: context.clock.now() })
  return id
}

// Debits less credits: the balance of an asset account. For a liability, which grows by credits,
// use `creditBalanceOf`.
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

// The credit balances from which this transaction can debit, in the order of `accounts`. Until the
// transaction ends, no other transaction that called this can debit them. Credits still arrive, so
// the true balances can only be higher. Name all accounts in one call: they are locked in a fixed
// order. The lock must come before the reading, in a separate statement (see `lockCheckpoint`).
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
