// The type of a command, and shared functions.
import { findCurrency } from '../../../src/kernel/money/currency.ts'
import { majorText } from '../../../src/kernel/money/minor-units.ts'
import type { Real } from './agreement.ts'
import { days, type Item, type Model, openOf, type Use } from './model.ts'

export type Dice = {
  // Below the given number.
  roll(sides: number): number
  pick<Value>(values: readonly Value[]): Value
}

// Answers false where there is nothing to do it with.
export type Command = {
  readonly name: string
  run(model: Model, real: Real & Cast, dice: Dice): Promise<boolean>
}

export type Cast = {
  readonly contactIds: readonly string[]
  readonly taxCodeIds: readonly (string | undefined)[]
  readonly currencies: readonly string[]
  // Rates are changed by a command, and known for every day.
  setRate(dice: Dice): Promise<void>
  nextReference(): string
}

export const rates = {
  USD: ['0.92', '0.8765', '1.0333'],
  JPY: ['0.0061', '0.00587', '0.0075'],
} as const

export const text = (minor: bigint, currency: string) =>
  majorText(minor, findCurrency(currency)?.decimals ?? 2)

export const notBefore = (first: string) => days.filter((day) => day >= first)

export const isOpen = (model: Model) => (item: Item) => openOf(model, item) > 0n

// Some of it, or mostly all.
export function part(dice: Dice, minor: bigint): bigint {
  if (minor <= 1n || dice.roll(2) === 0) return minor
  return 1n + (minor * BigInt(dice.roll(1000))) / 1001n
}

// What a payment says about its worth.
export function worth(dice: Dice, currency: string, amountMinor: bigint) {
  if (currency === 'EUR' || dice.roll(3) === 0) return {}
  const rate = dice.pick(rates[currency as 'USD'])
  if (dice.roll(2) === 0) return { rate }
  return { baseAmount: text(1n + (amountMinor * BigInt(50 + dice.roll(80))) / 100n, 'EUR') }
}

// A bank account that takes it: the second one is kept in dollars.
export const accountFor = (dice: Dice, { books }: Real, currency: string) =>
  books.account(currency === 'USD' && dice.roll(2) === 0 ? '1010' : '1000')

// The same for a payment, which may also come onto the dollars in another currency.
export function placeFor(dice: Dice, real: Real, currency: string) {
  if (currency === 'USD' || dice.roll(4) > 0) return { accountId: accountFor(dice, real, currency) }
  const accountAmount = text(BigInt(1 + dice.roll(100_000)), 'USD')
  return { accountId: real.books.account('1010'), accountAmount, confirmsRate: true }
}

export function useOf(one: Item, other: Item, amountMinor: bigint, date: string): Use {
  const [debit, credit] = one.amountMinor > 0n ? [one, other] : [other, one]
  return { debitId: debit.id, creditId: credit.id, amountMinor, date }
}
