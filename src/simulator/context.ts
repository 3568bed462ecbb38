// What every part of the simulator is given.
import type { Context } from '../kernel/db/context.ts'
import type { Decimal } from '../kernel/money/decimal.ts'

export type SimulatorContext = Context & {
  // Where the payer's pages are reached: the hosted links start with it.
  readonly publicUrl: string
  // Whether new test worlds know the magic amounts. Live worlds know them only when told.
  readonly magicAmounts: boolean
  // What a new world finds in its wallet, in major units by currency.
  readonly openingBalances: Readonly<Record<string, Decimal>>
  readonly background: Background
}

// What the simulator does by itself: steps that are due, and webhooks. A change only writes rows;
// whoever committed it wakes the background, which is free to look at any time anyway.
export type Background = {
  wake(): void
  // Does everything that is due and waits until the webhooks have been answered.
  drain(): Promise<void>
}
