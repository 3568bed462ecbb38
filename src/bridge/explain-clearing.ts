// The clearing account of the books beside the balances of the payment service. Both show the same
// money, so every part of it can be named, and nothing is left over.
import type { HeldAmount } from '../books/service-money/clearing-store.ts'
import type { BusinessBalance } from '../merchant/balances/balance.ts'

export type ExplainedClearing = BusinessBalance & {
  readonly bookedMinor: bigint
  // What moved in the service and is not in the books yet.
  readonly waitingMinor: bigint
  // Zero, unless people posted to the account, or the service held money before the books took
  // over.
  readonly unexplainedMinor: bigint
}

type BookedSide = {
  readonly booked: readonly HeldAmount[]
  readonly waiting: readonly { readonly currency: string; readonly heldMinor: bigint }[]
}

export function explainClearing(
  { booked, waiting }: BookedSide,
  balances: readonly BusinessBalance[],
): ExplainedClearing[] {
  const currencies = [...booked, ...waiting, ...balances].map(({ currency }) => currency)
  return [...new Set(currencies)].toSorted().map((currency) => {
    const bookedMinor = booked.find((one) => one.currency === currency)?.amountMinor ?? 0n
    const waitingMinor = waiting
      .filter((one) => one.currency === currency)
      .reduce((sum, { heldMinor }) => sum + heldMinor, 0n)
    const held = balances.find((one) => one.currency === currency) ?? emptyBalance(currency)
    const { pendingMinor, availableMinor, reservedMinor, walletMinor } = held
    const heldMinor = pendingMinor + availableMinor + reservedMinor + walletMinor
    const unexplainedMinor = bookedMinor + waitingMinor - heldMinor
    return { ...held, bookedMinor, waitingMinor, unexplainedMinor }
  })
}

function emptyBalance(currency: string): BusinessBalance {
  const none = { pendingMinor: 0n, availableMinor: 0n, reservedMinor: 0n, walletMinor: 0n }
  return { currency, ...none }
}
