// An invoice that does not exist, to show how documents of the organisation look.
import { z } from 'zod'
import { findBusiness } from '../../kernel/auth/business-store.ts'
import { findBrand } from '../../kernel/brand/brand-store.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { powerOfTen } from '../../kernel/money/decimal.ts'
import { majorText } from '../../kernel/money/minor-units.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { type Organisation, today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { logoOf } from './build-snapshot.ts'
import type { DocumentSnapshot } from './document-snapshot.ts'
import { drawPdf } from './pdf/drawing.ts'
import type { DocumentFile } from './read-document-file.ts'

export const drawSampleDocument = defineOperation({
  name: 'draw-sample-document',
  summary: 'Draw a sample invoice, to see how documents look',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  async run(context, actor): Promise<DocumentFile> {
    const { sql } = context.database
    const { businessId } = actor
    const [organisation, brand, business] = await Promise.all([
      findOrganisation(sql, actor),
      findBrand(sql, businessId),
      findBusiness(sql, businessId),
    ])
    const now = context.clock.now()
    const snapshot: DocumentSnapshot = {
      ...sampleContent(organisation, today(organisation, now)),
      frozenAt: now.toISOString(),
      organisation: {
        name: organisation.legalName ?? business?.name ?? '',
        address: organisation.address,
        taxNumber: organisation.taxNumber,
        email: brand.contactEmail,
        phone: brand.contactPhone,
        website: brand.websiteUrl,
      },
      paymentDetails: organisation.paymentDetails,
      brand: { colour: brand.colour, logo: logoOf(brand) },
    }
    return { filename: 'sample-invoice.pdf', content: await drawPdf(context, actor, snapshot) }
  },
})

type Content = Omit<DocumentSnapshot, 'frozenAt' | 'organisation' | 'paymentDetails' | 'brand'>

// Without a number it is marked as a draft, so that it is not taken for a real invoice.
function sampleContent({ baseCurrency }: Organisation, date: string): Content {
  const { decimals } = currencyOf(baseCurrency)
  const amount = (major: bigint) => majorText(major * powerOfTen(decimals), decimals)
  return {
    version: 1,
    kind: 'invoice',
    number: null,
    isSandbox: false,
    date,
    dueDate: date,
    reference: 'Sample',
    currency: baseCurrency,
    contact: { name: 'Sample customer', address: null, taxNumber: null, email: null },
    lines: [
      {
        description: 'First item',
        quantity: '2',
        unitPrice: amount(1500n),
        discountPct: null,
        taxCode: null,
        net: amount(3000n),
      },
      {
        description: 'Second item',
        quantity: '1',
        unitPrice: amount(950n),
        discountPct: null,
        taxCode: null,
        net: amount(950n),
      },
    ],
    taxes: [],
    subtotal: amount(3950n),
    taxTotal: amount(0n),
    total: amount(3950n),
    amountDue: amount(3950n),
    notes: 'This is how your invoices look.',
  }
}
