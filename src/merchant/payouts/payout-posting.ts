// The postings of payouts, as pure data, under the id of the payout. A payout that waits, fails or
// is cancelled posts nothing: its amount is only reserved until it is confirmed.
import type { LedgerLine, Posting } from '../../kernel/ledger/posting.ts'
import { posting } from '../../kernel/ledger/posting.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { type Decimal, digitsAt, roundHalfAway } from '../../kernel/money/decimal.ts'
import { ledgerAccounts as accounts } from '../ledger-accounts.ts'
import type { Payout } from './payout.ts'

type Moved = Pick<Payout, 'id' | 'currency' | 'amountMinor' | 'destinationType'>

// To the bank, the money leaves the provider, whose fee is the platform's cost. To the wallet, it
// stays in the service.
export function completedPosting(payout: Moved, feeMinor: bigint): Posting {
  const { id, currency, amountMinor, destinationType } = payout
  const amounts =
    destinationType === 'service_account'
      ? { [accounts.merchantWallet]: -amountMinor }
      : {
          [accounts.platformProviderFees]: feeMinor,
          [accounts.providerBalance]: -amountMinor - feeMinor,
        }
  return posting({
    kind: 'payout.completed',
    sourceId: id,
    lines: lines(currency, { [accounts.merchantAvailable]: amountMinor, ...amounts }),
  })
}

// The exact opposite, for a transfer that failed after it was confirmed.
export function reversedPosting(payout: Moved, feeMinor: bigint): Posting {
  const { lines: booked } = completedPosting(payout, feeMinor)
  return posting({
    kind: 'payout.reversed',
    sourceId: payout.id,
    lines: booked.map((line) => ({ ...line, amountMinor: -line.amountMinor })),
  })
}

// The first posting again, for a transfer that arrived after all. Can overdraw, because the money
// has left.
export function restoredPosting(payout: Moved, feeMinor: bigint): Posting {
  const { lines: booked } = completedPosting(payout, feeMinor)
  return posting({ kind: 'payout.restored', sourceId: payout.id, lines: booked })
}

// Money that left after its payout had failed or was cancelled. The merchant may have spent it
// again, so it stays in suspense until a person decides.
export function latePosting({ id, currency, amountMinor }: Moved, feeMinor: bigint): Posting {
  return posting({
    kind: 'payout.late',
    sourceId: id,
    lines: lines(currency, {
      [accounts.suspense]: amountMinor,
      [accounts.platformProviderFees]: feeMinor,
      [accounts.providerBalance]: -amountMinor - feeMinor,
    }),
  })
}

function lines(currency: string, amounts: Readonly<Record<string, bigint>>): LedgerLine[] {
  return Object.entries(amounts)
    .filter(([, amountMinor]) => amountMinor !== 0n)
    .map(([account, amountMinor]) => ({ account, currency, amountMinor }))
}

// The provider's fees have more decimals than the currency.
export function transferFeeMinor({ currency }: Moved, fee: Decimal): bigint {
  const { decimals } = currencyOf(currency)
  return digitsAt(roundHalfAway(fee, decimals), decimals)
}
