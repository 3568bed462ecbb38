// What is printed, frozen when a document is issued: plain data that goes into a column and comes
// back the same. Whoever draws it computes nothing and looks nothing up, so a document looks the
// same for ever, whatever becomes of the contact, the tax codes or the program.
//
// Amounts are decimal text with the decimals of the currency (`1234.50`, in JPY `1235`, in KWD
// `1.235`), a credit note's too, which are not negative. Days are `YYYY-MM-DD`.
export type DocumentSnapshot = {
  // Raised when the shape changes, since old ones stay as they are.
  readonly version: 1
  readonly kind: 'invoice' | 'credit_note' | 'quote'
  // Null before it is issued: what is drawn then says that it is a draft.
  readonly number: string | null
  // Sandbox documents say so.
  readonly isSandbox: boolean
  // When it was frozen, ISO 8601; it becomes the date of the file.
  readonly frozenAt: string
  readonly date: string
  // When an invoice is due or a quote expires; null where neither says anything.
  readonly dueDate: string | null
  readonly reference: string | null
  // The number of what a credit note credits, where it names it.
  readonly creditedNumber?: string
  readonly currency: string
  readonly organisation: SnapshotParty
  readonly contact: SnapshotParty
  readonly lines: readonly SnapshotLine[]
  readonly taxes: readonly SnapshotTax[]
  readonly subtotal: string
  readonly taxTotal: string
  readonly total: string
  // What is to be paid at the time of freezing; null on what asks for no money.
  readonly amountDue: string | null
  readonly notes: string | null
  // How to pay, in the organisation's words. Several lines.
  readonly paymentDetails: string | null
}

// Slashes and the like may stand in a number, and have no place in the name of a file.
export function fileName(number: string): string {
  return `${number.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}.pdf`
}

export type SnapshotParty = {
  readonly name: string
  // Several lines.
  readonly address: string | null
  readonly taxNumber: string | null
  readonly email: string | null
}

export type SnapshotLine = {
  readonly description: string
  // As entered, without zeros at the end.
  readonly quantity: string
  readonly unitPrice: string
  // In percent; null for none.
  readonly discountPct: string | null
  // The name of the tax code; null for none.
  readonly taxCode: string | null
  readonly net: string
}

// One for each component of each tax code of the document.
export type SnapshotTax = {
  readonly taxCode: string
  readonly component: string
  // In percent.
  readonly rate: string
  // What the component was charged on.
  readonly net: string
  readonly tax: string
}
