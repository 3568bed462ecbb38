// A discrepancy: what the payment provider says differs from what is recorded here. A person looks
// into it and resolves it.
export type NewDiscrepancy = {
  readonly id: string
  // What does not agree, for example `late_success`.
  readonly cause: string
  readonly objectKind: string
  readonly objectId: string
  // The provider's transaction, where one cause may come of several of them.
  readonly transactionId?: string
  // For a person to read; amounts as text.
  readonly detail: Readonly<Record<string, string | null>>
  readonly createdAt: Date
}

export type Discrepancy = NewDiscrepancy & {
  readonly resolvedAt: Date | null
  readonly resolution: string | null
}
