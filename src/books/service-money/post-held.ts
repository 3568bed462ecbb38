// Entries of the money that the payment service holds, against an account that nobody owes on:
// payments that name no invoice, shares of split recipients, and whatever has no counterpart.
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault, invalidField } from '../../kernel/basics/fault.ts'
import { findAccount, findSystemAccount } from '../accounts/account-store.ts'
import { requireBaseRange } from '../amount-input.ts'
import { requireRate } from '../currencies/require-rate.ts'
import { tidyLines } from '../journal/journal-entry.ts'
import { findEntry, listStandingEntries } from '../journal/journal-store.ts'
import { firstOpenDay } from '../journal/lock-dates.ts'
import { postEntry, reverseEntry } from '../journal/post-entry.ts'
import { convertMinor } from '../payments/open-item.ts'
import type { BookingStep } from './movement-step.ts'

export type Held = {
  readonly kind: string
  readonly description: string
  readonly heldMinor: bigint
  readonly feeMinor?: bigint
  // What stands against both, in the base currency.
  readonly accountId: string
}

export async function postHeld(step: BookingStep, held: Held): Promise<void> {
  const { tx, context, actor, organisation, movement } = step
  const { baseCurrency } = organisation
  const { currency } = movement
  const { heldMinor, feeMinor = 0n } = held
  await requireActive(step, held.accountId)
  const date = firstOpenDay(organisation, step.day)
  const rate = await requireRate(tx, actor, baseCurrency, currency, date)
  const baseOf = (minor: bigint) => convertMinor(minor, currency, rate, baseCurrency)
  const wholeMinor = baseOf(heldMinor + feeMinor)
  const feeBaseMinor = baseOf(feeMinor)
  if (wholeMinor === 0n) {
    throw invalidField('amount', `Less than the smallest amount of ${baseCurrency}.`)
  }
  requireBaseRange('amount', wholeMinor, baseCurrency)
  const clearing = await findSystemAccount(tx, actor, 'clearing')
  const fees = await findSystemAccount(tx, actor, 'payment_fees')
  const line = (accountId: string, inCurrency: string, baseMinor: bigint, amountMinor: bigint) => ({
    ...{ accountId, baseMinor, currency: inCurrency, amountMinor },
    ...{ contactId: null, openItemId: null, taxCodeId: null, description: null },
  })
  await postEntry(tx, context, actor, {
    kind: held.kind,
    sourceId: movement.objectId,
    reversesSequence: null,
    date,
    description: held.description,
    lines: tidyLines([
      line(clearing.id, currency, wholeMinor - feeBaseMinor, heldMinor),
      line(fees.id, currency, feeBaseMinor, feeMinor),
      line(held.accountId, baseCurrency, -wholeMinor, -wholeMinor),
    ]),
  })
}

async function requireActive({ tx, actor }: BookingStep, accountId: string): Promise<void> {
  const account = assertDefined(await findAccount(tx, actor, accountId), 'an account vanished')
  if (account.active) return
  const name = `${account.code} ${account.name}`
  throw new Fault('conflict', `${name} is not active. Name another with set-service-money.`)
}

// What has no counterpart in the books, because that came before they were kept by themselves.
export async function postUnassigned(step: BookingStep, description: string): Promise<void> {
  const { heldMinor } = step.movement
  const accountId = step.settings.unassignedAccountId
  await postHeld(step, { kind: 'service_money.moved', description, heldMinor, accountId })
}

// Line by line. Returns how many entries stood.
export async function reverseStanding(step: BookingStep, description: string): Promise<number> {
  const { tx, context, actor, organisation, movement } = step
  const standing = await listStandingEntries(tx, actor, movement.objectId)
  for (const { sequence } of standing) {
    const booked = await findEntry(tx, actor, sequence)
    const date = firstOpenDay(organisation, booked.date > step.day ? booked.date : step.day)
    const kind = 'service_money.reversed'
    await reverseEntry(tx, context, actor, { sequence, kind, date, description })
  }
  return standing.length
}
