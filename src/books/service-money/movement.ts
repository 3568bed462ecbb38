// A movement: a change in what the merchant service holds for the business. The books record each
// once, with the id of its entry in the merchant ledger, and post it.
//
//   waiting is posted when it is due; with a reason, an attempt failed
//   booked is in the journal
//   known a person had already posted it, or had removed what it reverses

export type MovementKind =
  // A payer paid; the provider reversed it, and restored it.
  | 'collected'
  | 'collection_reversed'
  | 'collection_restored'
  // The payer got money back: by a refund, or by a chargeback.
  | 'refunded'
  | 'refund_reversed'
  | 'charged_back'
  | 'chargeback_won'
  | 'paid_out'
  | 'payout_reversed'
  | 'payout_restored'
  // Future kinds of entries.
  | 'other'

export const movementStatuses = ['waiting', 'booked', 'known'] as const
export type MovementStatus = (typeof movementStatuses)[number]

export type NewMovement = {
  readonly id: string
  readonly kind: MovementKind
  readonly objectId: string
  readonly paymentId: string | null
  readonly happenedAt: Date
  readonly currency: string
  // How much more the service holds; negative for less.
  readonly heldMinor: bigint
  readonly feeMinor: bigint
  readonly shareMinor: bigint
  readonly offerId: string | null
  readonly offerText: string | null
}

export type Movement = NewMovement & {
  readonly status: MovementStatus
  readonly reason: string | null
  readonly tries: number
  readonly nextTryAt: Date | null
  readonly bookedPaymentId: string | null
  readonly firstSequence: bigint | null
  readonly lastSequence: bigint | null
  readonly takenAt: Date
  readonly bookedAt: Date | null
}

// The last of these says whether a payment is posted, and how.
export const collectionKinds = ['collected', 'collection_restored'] as const

export function isCollection({ kind }: Pick<NewMovement, 'kind'>): boolean {
  return kind === 'collected' || kind === 'collection_restored'
}

// What a payer paid: the part of the business, the fee, and the share of a recipient.
export function grossMinor({ heldMinor, feeMinor, shareMinor }: NewMovement): bigint {
  return heldMinor + feeMinor + shareMinor
}

const retrySecondsMin = 30
const retrySecondsMax = 3600

// The usual reason to wait is a missing exchange rate.
export function retrySeconds(tries: number): number {
  return Math.min(retrySecondsMax, retrySecondsMin * 2 ** Math.min(tries, 10))
}

// Words that may be an invoice number. Digits alone are left out: they may also be a year, an order
// or a telephone number.
export function numbersIn(text: string): string[] {
  const words = text.split(/[\s,;:!?()[\]{}"'<>]+/).map((word) => word.replace(/^#|\.+$/g, ''))
  return [...new Set(words.filter((word) => /\d/.test(word) && /\D/.test(word)))]
}
