// One open item used against another of the opposite sign.
export type Allocation = {
  readonly id: string
  readonly debitItemId: string
  readonly creditItemId: string
  readonly date: string
  readonly amountMinor: bigint
  // What each side was carried at; the difference is realised gain or loss.
  readonly debitBaseMinor: bigint
  readonly creditBaseMinor: bigint
  // The payment whose entry books it; null where it has an entry of its own.
  readonly bookedWith: string | null
  readonly createdAt: Date
  // The day on which it was taken back.
  readonly removedOn: string | null
  readonly removedAt: Date | null
}
