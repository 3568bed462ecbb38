// The printed content of a document, frozen when it is issued: plain data, stored in a column.
// Drawing it computes nothing and looks nothing up, so a document always looks the same, even if
// the contact, the tax codes or the program change.
//
// Amounts are decimal text with the decimals of the currency (`1234.50`, in JPY `1235`, in KWD
// `1.235`). Those of a credit note are not negative. Days are `YYYY-MM-DD`.
import type { DocumentKind } from './document-status.ts'

export type DocumentSnapshot = {
  // Raised when the shape changes, since old snapshots stay as they are.
  readonly version: 1
  readonly kind: DocumentKind | 'quote'
  // Null before it is issued. It is then marked as a draft.
  readonly number: string | null
  // Sandbox documents are marked.
  readonly isSandbox: boolean
  // When it was frozen, ISO 8601; the creation date of the file.
  readonly frozenAt: string
  readonly date: string
  // The due date of an invoice or bill, or the expiry date of a quote; otherwise null.
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
  // The amount to pay when it was frozen; null if the document asks for no money.
  readonly amountDue: string | null
  readonly notes: string | null
  // How to pay, in the organisation's words. Several lines.
  readonly paymentDetails: string | null
  // How the organisation presented itself. Documents from before it could don't have it.
  readonly brand?: SnapshotBrand
  // The page of an issued invoice; older invoices don't name it.
  readonly page?: SnapshotPage
}

export type SnapshotBrand = {
  // `#rrggbb`; null for our own.
  readonly colour: string | null
  readonly logo: { readonly sha256: string; readonly width: number; readonly height: number } | null
}

export type SnapshotPage = {
  readonly url: string
  // Whether the customer can pay there.
  readonly takesPayments: boolean
}

// Slashes and similar characters are allowed in a number but not in a file name.
export function fileName(number: string): string {
  return `${number.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}.pdf`
}

export type SnapshotParty = {
  readonly name: string
  // Several lines.
  readonly address: string | null
  readonly taxNumber: string | null
  readonly email: string | null
  readonly phone?: string | null
  readonly website?: string | null
}

export type SnapshotLine = {
  readonly description: string
  // As entered, without trailing zeros.
  readonly quantity: string
  readonly unitPrice: string
  // In percent; null for none.
  readonly discountPct: string | null
  // The name of the tax code; null for none.
  readonly taxCode: string | null
  readonly net: string
}

// One per component of each tax code of the document.
export type SnapshotTax = {
  readonly taxCode: string
  readonly component: string
  // In percent.
  readonly rate: string
  // The amount on which the component was charged.
  readonly net: string
  readonly tax: string
}
