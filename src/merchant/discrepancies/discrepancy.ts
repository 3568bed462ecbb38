// A discrepancy: the payment provider's records differ from ours. A person looks into it and
// resolves it.
export type NewDiscrepancy = {
  readonly id: string
  // What differs, such as `late_success`.
  readonly cause: string
  readonly objectKind: string
  readonly objectId: string
  // The provider's transaction, if one cause can occur for several of them.
  readonly transactionId?: string
  // For people; amounts as text.
  readonly detail: Readonly<Record<string, string | null>>
  readonly createdAt: Date
}

export type Discrepancy = NewDiscrepancy & {
  readonly resolvedAt: Date | null
  readonly resolution: string | null
}
