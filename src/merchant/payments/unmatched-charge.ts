// A transaction of the provider that took money which its payment can't use: after its end, too
// little, in another currency, or a second time.
export type UnmatchedCause = 'late_success' | 'underpayment' | 'wrong_currency' | 'repeated_charge'

export type UnmatchedCharge = {
  readonly id: string
  readonly paymentId: string
  // The provider's id of it.
  readonly transactionId: string
  readonly cause: UnmatchedCause
  readonly currency: string
  // Null in an unknown currency: then nothing is posted, and a person decides.
  readonly amountMinor: bigint | null
  readonly createdAt: Date
}
