// A movement: something made what the payment service holds for the business more or less. The
// books take each down once, under the id of its entry in the service's ledger, and book it.
//
// waiting  is booked when its time has come; with a reason, it was tried and could not be
// booked   stands in the journal
// known    a person had booked it before it came here, or had taken out what it takes back

export type MovementKind =
  // A payer paid; the provider took that back, and says again that it has it.
  | 'collected'
  | 'collection_reversed'
  | 'collection_restored'
  // The payer got something back: because the business gave it, or because their bank took it.
  | 'refunded'
  | 'refund_reversed'
  | 'charged_back'
  | 'chargeback_won'
  | 'paid_out'
  | 'payout_reversed'
  | 'payout_restored'
  // Whatever else the service may book one day.
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
  // How much more, or as a negative less, the service holds.
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

// The last of these says whether a payment is there, and what is booked of it.
export const collectionKinds = ['collected', 'collection_restored'] as const

export function isCollection({ kind }: Pick<NewMovement, 'kind'>): boolean {
  return kind === 'collected' || kind === 'collection_restored'
}

// What a payer paid is what the business has of it, what the service kept, and what went to
// somebody else.
export function grossMinor({ heldMinor, feeMinor, shareMinor }: NewMovement): bigint {
  return heldMinor + feeMinor + shareMinor
}

const retrySecondsMin = 30
const retrySecondsMax = 3600

// What stands in the way is mostly a rate that somebody has yet to enter.
export function retrySeconds(tries: number): number {
  return Math.min(retrySecondsMax, retrySecondsMin * 2 ** Math.min(tries, 10))
}

// Words that may be the number of an invoice. Digits alone are left out: they are as well a year,
// an order or a telephone number.
export function numbersIn(text: string): string[] {
  const words = text.split(/[\s,;:!?()[\]{}"'<>]+/).map((word) => word.replace(/^#|\.+$/g, ''))
  return [...new Set(words.filter((word) => /\d/.test(word) && /\D/.test(word)))]
}
