// What the editor of documents knows about a contact, an item or a tax code, with the defaults that
// each brings. Types only; the browser has them too.
import type { DocumentSide } from './document-status.ts'

export type Defaults = { readonly accountId: string | null; readonly taxCodeId: string | null }

export type EditorContact = Defaults & {
  readonly id: string
  readonly name: string
  readonly currency: string | null
  readonly paymentTermsDays: number
  // Whether another contact has the same name, so that the name alone does not say which.
  readonly isShared: boolean
}

export type EditorItem = Defaults & {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly description: string | null
  readonly unitPrice: string | null
}

export type EditorTaxCode = {
  readonly id: string
  readonly name: string
  readonly isInclusive: boolean
  readonly components: readonly {
    readonly name: string
    readonly rate: string
    readonly isCompound: boolean
  }[]
}

export type SidedDefaults = {
  readonly salesAccountId: string | null
  readonly purchaseAccountId: string | null
  readonly salesTaxCodeId: string | null
  readonly purchaseTaxCodeId: string | null
}

export function defaultsOf(side: DocumentSide, one: SidedDefaults): Defaults {
  return side === 'sales'
    ? { accountId: one.salesAccountId, taxCodeId: one.salesTaxCodeId }
    : { accountId: one.purchaseAccountId, taxCodeId: one.purchaseTaxCodeId }
}
