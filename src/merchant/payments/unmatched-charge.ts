// A transaction of the provider that took money which its payment did not want: after the end, too
// little, in another currency, or once more.
export type UnmatchedCause = 'late_success' | 'underpayment' | 'wrong_currency' | 'repeated_charge'

export type UnmatchedCharge = {
  readonly id: string
  readonly paymentId: string
  // The provider's name for it.
  readonly transactionId: string
  readonly cause: UnmatchedCause
  readonly currency: string
  // Null in a currency that we do not know: then nothing is booked, and a person decides.
  readonly amountMinor: bigint | null
  readonly createdAt: Date
}
