// The dependencies of every part of the simulator.
import type { Context } from '../kernel/db/context.ts'
import type { Decimal } from '../kernel/money/decimal.ts'

export type SimulatorContext = Context & {
  // The address of the payer's pages, with which hosted links start.
  readonly publicUrl: string
  // Whether new test worlds use magic amounts. Live worlds use them only on request.
  readonly magicAmounts: boolean
  // The opening balance of a new world's wallet, in major units by currency.
  readonly openingBalances: Readonly<Record<string, Decimal>>
  readonly background: Background
}

// The simulator's background work: due steps, and webhooks. A change only writes rows and wakes the
// background after its commit. The background also looks by itself.
export type Background = {
  wake(): void
  // Does everything that is due, and waits until the webhooks have been answered.
  drain(): Promise<void>
}
