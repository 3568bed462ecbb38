// A customer: everyone who pays with the same e-mail address, in any case. Their payments make
// them; only the names that they gave are stored, for the search.
export type CustomerTotal = {
  readonly currency: string
  // Payments that were collected.
  readonly count: number
  // What they paid, less what was refunded.
  readonly paidMinor: bigint
}

export type Customer = {
  // In lower case, which is their key.
  readonly key: string
  // As they wrote it last.
  readonly email: string
  readonly name: string | null
  readonly lastPaymentId: string
  readonly lastPaymentAt: Date
  readonly totals: readonly CustomerTotal[]
}
