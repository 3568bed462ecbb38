// What the tax report is computed from: sums of the lines that name a tax code.
export const taxSections = ['sales', 'purchases', 'manual'] as const
export type TaxSection = (typeof taxSections)[number]

export type TaxSum = {
  readonly section: TaxSection
  readonly isWriteOff: boolean
  readonly taxCodeId: string
  readonly accountId: string
  // Lines of documents have a text; the tax of a document or write-off has none.
  readonly hasText: boolean
  // Debits are positive.
  readonly baseMinor: bigint
}

export type ComponentSum = {
  readonly section: TaxSection
  readonly taxCodeId: string
  // From zero.
  readonly index: number
  readonly currency: string
  readonly fxRate: string
  // In the currency; positive for invoices and bills.
  readonly amountMinor: bigint
}

export type TaxEntry = {
  readonly date: string
  readonly sequence: bigint
  readonly kind: string
  readonly description: string
  readonly section: TaxSection
  readonly isWriteOff: boolean
  // Debits are positive; by account, since what is tax in a manual journal depends on it.
  readonly sums: readonly { account: string; hasText: boolean; base: string }[]
}
