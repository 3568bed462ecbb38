// A payment that a payer made through the merchant service, and what became of it in the books.
//
//   waiting     not posted yet; the reason says why
//   unassigned  posted without an invoice: a person says what it was for
//   assigned    posted as a payment of a contact, who may have a rest of it as credit
//   returned    posted without an invoice, and refunded or reversed since

export const servicePaymentStates = ['waiting', 'unassigned', 'assigned', 'returned'] as const
export type ServicePaymentState = (typeof servicePaymentStates)[number]

export type PaidInvoice = {
  readonly id: string
  readonly number: string | null
  readonly amountMinor: bigint
}

// An invoice that a payment may have been for.
export type OpenInvoice = {
  readonly id: string
  readonly number: string
  readonly contactId: string
  readonly contactName: string
  readonly date: string
  readonly dueDate: string
  readonly currency: string
  readonly openMinor: bigint
}

export type FoundServicePayment = {
  // That of the movement, by which the list is read on.
  readonly movementId: string
  readonly paymentId: string
  readonly happenedAt: Date
  readonly currency: string
  readonly grossMinor: bigint
  readonly feeMinor: bigint
  readonly offerText: string | null
  readonly state: ServicePaymentState
  readonly reason: string | null
  readonly bookedPaymentId: string | null
  readonly contactId: string | null
  readonly contactName: string | null
  readonly firstSequence: bigint | null
}

export type ServicePayment = FoundServicePayment & {
  readonly invoices: readonly PaidInvoice[]
  // The only open invoice over exactly this amount.
  readonly suggestion: OpenInvoice | undefined
}
