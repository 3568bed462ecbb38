// Builds the snapshot of a document or quote from stored data. Nothing is priced again; amounts
// only become text.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Brand } from '../../kernel/brand/brand.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { toText } from '../../kernel/money/decimal.ts'
import { majorText } from '../../kernel/money/minor-units.ts'
import type { Contact } from '../contacts/contact.ts'
import { storedDecimal } from '../input/decimal-text.ts'
import type { Organisation } from '../settings/organisation.ts'
import type { ChargedComponent, TaxCode } from '../taxes/tax-code.ts'
import type { DocumentLine } from './document.ts'
import type {
  DocumentSnapshot,
  SnapshotBrand,
  SnapshotPage,
  SnapshotTax,
} from './document-snapshot.ts'

export type ToFreeze = Pick<
  DocumentSnapshot,
  'kind' | 'number' | 'isSandbox' | 'date' | 'dueDate' | 'reference' | 'currency' | 'notes'
> & {
  readonly frozenAt: Date
  readonly organisation: Organisation
  readonly brand: Brand
  // Printed if the organisation has no legal name.
  readonly businessName: string
  // The number of what a credit note credits.
  readonly creditedNumber?: string | null
  readonly contact: Contact
  readonly page?: SnapshotPage | undefined
  readonly lines: readonly DocumentLine[]
  // Those of the lines.
  readonly taxCodes: ReadonlyMap<
    string,
    Pick<TaxCode, 'name'> & { readonly components: readonly ChargedComponent[] }
  >
  readonly subtotalMinor: bigint
  readonly taxTotalMinor: bigint
  readonly totalMinor: bigint
}

export function buildSnapshot(frozen: ToFreeze): DocumentSnapshot {
  const { organisation, contact, lines, taxCodes, currency, brand } = frozen
  const { decimals } = currencyOf(currency)
  const amount = (minor: bigint) => majorText(minor, decimals)
  const total = amount(frozen.totalMinor)
  return {
    version: 1,
    kind: frozen.kind,
    number: frozen.number,
    isSandbox: frozen.isSandbox,
    frozenAt: frozen.frozenAt.toISOString(),
    date: frozen.date,
    dueDate: frozen.dueDate,
    reference: frozen.reference,
    ...(frozen.creditedNumber && { creditedNumber: frozen.creditedNumber }),
    currency,
    organisation: {
      name: organisation.legalName ?? frozen.businessName,
      address: organisation.address,
      taxNumber: organisation.taxNumber,
      email: brand.contactEmail,
      phone: brand.contactPhone,
      website: brand.websiteUrl,
    },
    contact: {
      name: contact.name,
      address: contact.address,
      taxNumber: contact.taxNumber,
      email: contact.email,
    },
    lines: lines.map((line) => ({
      description: line.description,
      quantity: line.quantity,
      // With more decimals than the currency, if entered so.
      unitPrice: toText(storedDecimal(line.unitPrice), decimals),
      discountPct: line.discountPct === '0' ? null : line.discountPct,
      taxCode: line.taxCodeId === null ? null : nameOf(taxCodes, line.taxCodeId),
      net: amount(line.netMinor),
    })),
    taxes: taxSummary(lines, taxCodes, amount),
    subtotal: amount(frozen.subtotalMinor),
    taxTotal: amount(frozen.taxTotalMinor),
    total,
    amountDue: frozen.kind === 'invoice' ? total : null,
    notes: frozen.notes,
    paymentDetails: frozen.kind === 'invoice' ? organisation.paymentDetails : null,
    brand: { colour: brand.colour, logo: logoOf(brand) },
    ...(frozen.page && { page: frozen.page }),
  }
}

export function logoOf({ logo }: Brand): SnapshotBrand['logo'] {
  return logo && { sha256: logo.sha256, width: logo.width, height: logo.height }
}

// One row per component of each tax code, in the order of the lines.
function taxSummary(
  lines: readonly DocumentLine[],
  taxCodes: ToFreeze['taxCodes'],
  amount: (minor: bigint) => string,
): SnapshotTax[] {
  const codeIds = new Set(lines.flatMap(({ taxCodeId }) => taxCodeId ?? []))
  return [...codeIds].flatMap((codeId) => {
    const { name, components } = assertDefined(taxCodes.get(codeId), 'a tax code is missing')
    const taxed = lines.filter(({ taxCodeId }) => taxCodeId === codeId)
    const netMinor = sum(taxed.map((line) => line.netMinor))
    let beforeMinor = 0n
    return components.map((component, index) => {
      const taxMinor = sum(taxed.map((line) => line.taxes[index]?.taxMinor ?? 0n))
      const baseMinor = component.isCompound ? netMinor + beforeMinor : netMinor
      beforeMinor += taxMinor
      return {
        taxCode: name,
        component: component.name,
        rate: component.rate,
        net: amount(baseMinor),
        tax: amount(taxMinor),
      }
    })
  })
}

function nameOf(taxCodes: ToFreeze['taxCodes'], id: string): string {
  return assertDefined(taxCodes.get(id), 'a tax code is missing').name
}

function sum(amountsMinor: readonly bigint[]): bigint {
  return amountsMinor.reduce((total, amountMinor) => total + amountMinor, 0n)
}
