// What a charge posts, as pure data. Everything about one payment is booked under its id, so what
// follows (settlement, reversal) is computed from what is booked and not from what one remembers.
import type { LedgerLine, Posting } from '../../kernel/ledger/posting.ts'
import { posting } from '../../kernel/ledger/posting.ts'
import { ledgerAccounts as accounts } from '../ledger-accounts.ts'

export type Collected = {
  readonly paymentId: string
  readonly currency: string
  readonly amountMinor: bigint
  readonly feeMinor: bigint
  readonly netMinor: bigint
  readonly splitMinor: bigint
  // What was paid beyond the amount.
  readonly excessMinor: bigint
}

export function successPosting(charge: Collected): Posting {
  const { currency, amountMinor, feeMinor, netMinor, splitMinor, excessMinor } = charge
  return posting({
    kind: 'charge.succeeded',
    sourceId: charge.paymentId,
    lines: lines(currency, {
      [accounts.providerReceivable]: amountMinor + excessMinor,
      [accounts.platformFees]: -feeMinor,
      [accounts.merchantPending]: splitMinor - netMinor,
      [accounts.recipientsOwed]: -splitMinor,
      [accounts.suspense]: -excessMinor,
    }),
  })
}

// Money that the provider took and that no payment wants: after a cancel, too little, in another
// currency, or a second time.
export type UnmatchedKind = 'charge.unmatched' | 'charge.late' | 'charge.repeated'

export function unmatchedPosting(
  paymentId: string,
  kind: UnmatchedKind,
  currency: string,
  amountMinor: bigint,
): Posting {
  return posting({
    kind,
    sourceId: paymentId,
    lines: lines(currency, {
      [accounts.providerReceivable]: amountMinor,
      [accounts.suspense]: -amountMinor,
    }),
  })
}

export type Settled = { readonly posting: Posting; readonly differenceMinor: bigint }

// A fee of the provider has more decimals than the currency, so what is settled may differ from
// what we compute by a unit; the provider's fee takes that up. Anything more is a difference.
const roundingMinor = 1n

// Clears what is booked of the charge: the receivable becomes balance, the provider's fee and the
// recipients' part; the merchant's pending becomes available. Undefined when nothing is open.
export function settlementPosting(
  paymentId: string,
  booked: readonly LedgerLine[],
  settledMinor: bigint,
  providerFeeMinor: bigint,
): Settled | undefined {
  const receivable = booked.find(({ account }) => account === accounts.providerReceivable)
  if (!receivable) return undefined
  const { currency } = receivable
  const receivableMinor = sum(booked, accounts.providerReceivable, currency)
  const pendingMinor = sum(booked, accounts.merchantPending, currency)
  const owedMinor = sum(booked, accounts.recipientsOwed, currency)
  if (receivableMinor === 0n) return undefined
  const restMinor = receivableMinor + owedMinor - settledMinor - providerFeeMinor
  const isRounding = restMinor <= roundingMinor && restMinor >= -roundingMinor
  const differenceMinor = isRounding ? 0n : restMinor
  return {
    differenceMinor,
    posting: posting({
      kind: 'charge.settled',
      sourceId: paymentId,
      lines: lines(currency, {
        [accounts.merchantPending]: -pendingMinor,
        [accounts.merchantAvailable]: pendingMinor,
        [accounts.recipientsOwed]: -owedMinor,
        [accounts.providerBalance]: settledMinor,
        [accounts.platformProviderFees]: providerFeeMinor + restMinor - differenceMinor,
        [accounts.suspense]: differenceMinor,
        [accounts.providerReceivable]: -receivableMinor,
      }),
    }),
  }
}

// The exact opposite of everything that was booked: the charge never was.
export function reversalPosting(paymentId: string, booked: readonly LedgerLine[]): Posting {
  const keys = new Map(booked.map(({ account, currency }) => [`${account} ${currency}`, 0n]))
  for (const { account, currency, amountMinor } of booked) {
    const key = `${account} ${currency}`
    keys.set(key, (keys.get(key) ?? 0n) - amountMinor)
  }
  return posting({
    kind: 'charge.reversed',
    sourceId: paymentId,
    lines: [...keys]
      .filter(([, amountMinor]) => amountMinor !== 0n)
      .map(([key, amountMinor]) => {
        const [account = '', currency = ''] = key.split(' ')
        return { account, currency, amountMinor }
      }),
  })
}

function lines(currency: string, amounts: Readonly<Record<string, bigint>>): LedgerLine[] {
  return Object.entries(amounts)
    .filter(([, amountMinor]) => amountMinor !== 0n)
    .map(([account, amountMinor]) => ({ account, currency, amountMinor }))
}

function sum(booked: readonly LedgerLine[], account: string, currency: string): bigint {
  return booked
    .filter((line) => line.account === account && line.currency === currency)
    .reduce((total, line) => total + line.amountMinor, 0n)
}
