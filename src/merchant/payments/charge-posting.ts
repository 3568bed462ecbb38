// The postings of a charge, as pure data. The charge that a payment collected is posted under the
// payment's id, an unmatched charge under its own id. Later postings (settlement, reversal) are
// computed from the posted lines.
import type { BookedLine } from '../../kernel/ledger/ledger-store.ts'
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
  // Money paid beyond the amount.
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

// Money that the provider took and no payment can use: after a cancel, too little, in another
// currency, or a second time.
export type UnmatchedKind = 'charge.unmatched' | 'charge.late' | 'charge.repeated'

export function unmatchedPosting(
  sourceId: string,
  kind: UnmatchedKind,
  currency: string,
  amountMinor: bigint,
): Posting {
  return posting({
    kind,
    sourceId,
    lines: lines(currency, {
      [accounts.providerReceivable]: amountMinor,
      [accounts.suspense]: -amountMinor,
    }),
  })
}

export type Settled = { readonly posting: Posting; readonly differenceMinor: bigint }

// The provider's fee has more decimals than the currency, so the settled amount can differ from
// ours by one unit, which goes to the provider's fee. Anything more is a discrepancy.
const roundingMinor = 1n

// Clears the postings of the charge: the receivable becomes the provider balance, the provider's
// fee and the recipients' part; the merchant's pending becomes available. Undefined if nothing is
// open.
export function settlementPosting(
  sourceId: string,
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
      sourceId,
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

// How often a provider that changes its answer did something. The ledger stores each kind once per
// source, so the second time gets its own kind.
function countKind(booked: readonly BookedLine[], kind: string): number {
  const entries = booked.filter((line) => line.kind === kind || line.kind.startsWith(`${kind}.`))
  return new Set(entries.map(({ entryId }) => entryId)).size
}

const reversed = 'charge.reversed'
const restored = 'charge.restored'
const nthKind = (kind: string, nth: number) => (nth === 1 ? kind : `${kind}.${nth}`)

export function isReversed(booked: readonly BookedLine[]): boolean {
  return countKind(booked, reversed) > countKind(booked, restored)
}

// The exact opposite of everything posted, as if the charge had never happened.
export function reversalPosting(sourceId: string, booked: readonly BookedLine[]): Posting {
  const kind = nthKind(reversed, countKind(booked, reversed) + 1)
  return posting({ kind, sourceId, lines: opposite(booked) })
}

// The exact opposite of the last reversal: the charge counts again.
export function restoringPosting(sourceId: string, booked: readonly BookedLine[]): Posting {
  const nth = countKind(booked, reversed)
  const last = booked.filter(({ kind }) => kind === nthKind(reversed, nth))
  return posting({ kind: nthKind(restored, nth), sourceId, lines: opposite(last) })
}

function opposite(booked: readonly LedgerLine[]): LedgerLine[] {
  const currencies = new Set(booked.map(({ currency }) => currency))
  const names = new Set(booked.map(({ account }) => account))
  return [...currencies].flatMap((currency) =>
    lines(
      currency,
      Object.fromEntries([...names].map((name) => [name, -sum(booked, name, currency)])),
    ),
  )
}

// What the payer paid, as posted with the success.
export function receivedMinor(booked: readonly BookedLine[]): bigint {
  const success = booked.filter(({ kind }) => kind === 'charge.succeeded')
  return success
    .filter(({ account }) => account === accounts.providerReceivable)
    .reduce((total, { amountMinor }) => total + amountMinor, 0n)
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
