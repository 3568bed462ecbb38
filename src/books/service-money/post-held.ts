// Entries of money that the merchant service holds, against an account that is not a control
// account: payments without an invoice, shares of split recipients, and anything without a
// counterpart.
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import { findSystemAccount } from '../accounts/account-store.ts'
import { requireRate } from '../currencies/require-rate.ts'
import { requireBaseRange } from '../input/amount-input.ts'
import { tidyLines } from '../journal/journal-entry.ts'
import { findEntry, listUnreversedEntries } from '../journal/journal-store.ts'
import { firstOpenDay } from '../journal/lock-dates.ts'
import { postEntry, reverseEntry } from '../journal/post-entry.ts'
import { convertMinor } from '../payments/open-item.ts'
import { findPaymentAccount } from '../payments/payment-account-store.ts'
import type { HeldStep } from './movement-step.ts'

export type Held = {
  readonly kind: string
  readonly description: string
  readonly heldMinor: bigint
  readonly feeMinor?: bigint
  // The counter account, in the base currency.
  readonly accountId: string
}

// An amount worth less than the smallest unit of the base currency is on both accounts in its own
// currency, so that clearing equals what the service holds.
export async function postHeld(step: HeldStep, held: Held): Promise<void> {
  const { tx, context, actor, organisation, movement } = step
  const { baseCurrency } = organisation
  const { currency } = movement
  const { heldMinor, feeMinor = 0n } = held
  const wholeMinor = await baseValueOf(step, heldMinor + feeMinor)
  const feeBaseMinor = await baseValueOf(step, feeMinor)
  requireBaseRange('amount', wholeMinor, baseCurrency)
  const clearing = await findSystemAccount(tx, actor, 'clearing')
  const fees = await findSystemAccount(tx, actor, 'payment_fees')
  const line = (accountId: string, inCurrency: string, baseMinor: bigint, amountMinor: bigint) => ({
    ...{ accountId, baseMinor, currency: inCurrency, amountMinor },
    ...{ contactId: null, openItemId: null, taxCodeId: null, description: null },
  })
  const lines = tidyLines([
    line(clearing.id, currency, wholeMinor - feeBaseMinor, heldMinor),
    line(fees.id, currency, feeBaseMinor, feeMinor),
    wholeMinor === 0n
      ? line(held.accountId, currency, 0n, -heldMinor - feeMinor)
      : line(held.accountId, baseCurrency, -wholeMinor, -wholeMinor),
  ])
  if (lines.length === 0) return
  await postEntry(tx, context, actor, {
    kind: held.kind,
    sourceId: movement.objectId,
    reversesSequence: null,
    date: firstOpenDay(organisation, step.day),
    description: held.description,
    lines,
  })
}

// In the base currency, on the day of the posting.
export async function baseValueOf(step: HeldStep, amountMinor: bigint): Promise<bigint> {
  const { tx, actor, organisation, movement, day } = step
  const { baseCurrency } = organisation
  const { currency } = movement
  const date = firstOpenDay(organisation, day)
  const rate = await requireRate(tx, actor, baseCurrency, currency, date)
  return convertMinor(amountMinor, currency, rate, baseCurrency)
}

// An account of the settings. It may have been deactivated since.
export async function requireUsable({ tx, actor }: HeldStep, accountId: string): Promise<string> {
  const found = await findPaymentAccount(tx, actor, accountId)
  const { active, code, name, currency } = assertDefined(found, 'an account vanished')
  if (active && currency === null) return accountId
  const problem = active ? `is kept in ${currency}` : 'is not active'
  const message = `${code} ${name} ${problem}. Choose another with set-service-money.`
  throw new Fault('conflict', message)
}

// A movement without a counterpart in the books, because that happened before automatic
// bookkeeping.
export async function postUnassigned(step: HeldStep, description: string): Promise<void> {
  const { heldMinor } = step.movement
  const accountId = await requireUsable(step, step.settings.unassignedAccountId)
  await postHeld(step, { kind: 'service_money.moved', description, heldMinor, accountId })
}

const shareKind = 'share.passed_on'

// The share of a split recipient, unless it is already posted: people may have removed the payment,
// which leaves the share in place.
export async function postShare(step: HeldStep): Promise<void> {
  const { tx, actor, movement, settings } = step
  if (movement.shareMinor === 0n) return
  const standing = await listUnreversedEntries(tx, actor, movement.objectId)
  if (standing.some(({ kind }) => kind === shareKind)) return
  await postHeld(step, {
    kind: shareKind,
    description: 'Share of a split recipient',
    heldMinor: -movement.shareMinor,
    accountId: await requireUsable(step, settings.shareAccountId),
  })
}

// Line by line. Returns how many entries were reversed.
export async function reverseUnreversed(step: HeldStep, description: string): Promise<number> {
  const { tx, context, actor, organisation, movement } = step
  const standing = await listUnreversedEntries(tx, actor, movement.objectId)
  for (const { sequence } of standing) {
    const booked = await findEntry(tx, actor, sequence)
    const date = firstOpenDay(organisation, booked.date > step.day ? booked.date : step.day)
    const kind = 'service_money.reversed'
    await reverseEntry(tx, context, actor, { sequence, kind, date, description })
  }
  return standing.length
}
