// What payouts post, as pure data, under the id of the payout. A payout that waits, fails or is
// cancelled posts nothing: until it is confirmed its amount is only promised.
import type { LedgerLine, Posting } from '../../kernel/ledger/posting.ts'
import { posting } from '../../kernel/ledger/posting.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { type Decimal, digitsAt, roundHalfAway } from '../../kernel/money/decimal.ts'
import { ledgerAccounts as accounts } from '../ledger-accounts.ts'
import type { Payout } from './payout.ts'

type Moved = Pick<Payout, 'id' | 'currency' | 'amountMinor' | 'destinationType'>

// Into the bank the money leaves the provider, whose fee is the platform's cost; into the wallet it
// stays with us under another name.
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

// The exact opposite, for a transfer that failed after it had been confirmed.
export function reversedPosting(payout: Moved, feeMinor: bigint): Posting {
  const { lines: booked } = completedPosting(payout, feeMinor)
  return posting({
    kind: 'payout.reversed',
    sourceId: payout.id,
    lines: booked.map((line) => ({ ...line, amountMinor: -line.amountMinor })),
  })
}

// And back again, for one that arrived after all. May overdraw: the money has left.
export function restoredPosting(payout: Moved, feeMinor: bigint): Posting {
  const { lines: booked } = completedPosting(payout, feeMinor)
  return posting({ kind: 'payout.restored', sourceId: payout.id, lines: booked })
}

// Money that left after its payout had failed or was cancelled: the merchant may have been promised
// it again by now, so it is nobody's until a person has decided.
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
