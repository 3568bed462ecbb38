// An open item used against another of the opposite sign.
export type Allocation = {
  readonly id: string
  readonly debitItemId: string
  readonly creditItemId: string
  readonly date: string
  readonly amountMinor: bigint
  // The book values of both sides; the difference is a realised gain or loss.
  readonly debitBaseMinor: bigint
  readonly creditBaseMinor: bigint
  // The payment whose entry includes it; null if it has its own entry.
  readonly bookedWith: string | null
  readonly createdAt: Date
  // The day on which it was removed.
  readonly removedOn: string | null
  readonly removedAt: Date | null
}
