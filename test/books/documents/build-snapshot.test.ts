import { expect, it } from 'vitest'
import { buildSnapshot, type ToFreeze } from '../../../src/books/documents/build-snapshot.ts'
import type { DocumentLine } from '../../../src/books/documents/document.ts'
import { plainBrand } from '../../../src/kernel/brand/brand.ts'

const taxCodeId = '0190a000-0000-7000-8000-00000000000a'
const line: DocumentLine = {
  id: '0190a000-0000-7000-8000-000000000001',
  position: 1,
  itemId: null,
  description: 'Widget',
  quantity: '2',
  unitPrice: '50',
  discountPct: '0',
  accountId: null,
  taxCodeId,
  taxes: [
    { name: 'State', rate: '5', taxMinor: 500n },
    { name: 'Province', rate: '10', taxMinor: 1050n },
  ],
  netMinor: 10_000n,
  taxMinor: 1550n,
  grossMinor: 11_550n,
}
const frozen: ToFreeze = {
  kind: 'invoice',
  number: 'INV-2026-00001',
  isSandbox: false,
  frozenAt: new Date('2026-11-15T10:00:00Z'),
  date: '2026-11-15',
  dueDate: '2026-12-15',
  reference: 'PO 7',
  currency: 'CAD',
  notes: 'Thank you',
  organisation: {
    baseCurrency: 'CAD',
    defaultPaymentTermsDays: 30,
    legalName: null,
    address: '1 Example Street',
    taxNumber: 'T-1',
    paymentDetails: 'Account 12',
    timeZone: 'UTC',
    locale: 'en-GB',
    fiscalYearStartMonth: 1,
    taxRounding: 'line',
    approvalsOn: false,
    fourEyesOn: true,
    softLockedUntil: null,
    hardLockedUntil: null,
    defaultSalesAccountId: null,
    defaultPurchaseAccountId: null,
    defaultSalesTaxCodeId: null,
    defaultPurchaseTaxCodeId: null,
    createdAt: new Date(0),
  },
  brand: { ...plainBrand, colour: '#aa2200', contactPhone: '+1 555 0100' },
  businessName: 'Example Goods',
  contact: {
    id: '0190a000-0000-7000-8000-000000000002',
    name: 'Ada',
    isCustomer: true,
    isSupplier: false,
    email: 'ada@example.com',
    phone: null,
    taxNumber: null,
    currency: null,
    paymentTermsDays: 30,
    address: null,
    timeZone: null,
    language: null,
    salesAccountId: null,
    purchaseAccountId: null,
    salesTaxCodeId: null,
    purchaseTaxCodeId: null,
    active: true,
    mergedInto: null,
    createdAt: new Date(0),
  },
  lines: [
    line,
    { ...line, position: 2, taxCodeId: null, taxes: [], discountPct: '10', taxMinor: 0n },
  ],
  taxCodes: new Map([
    [
      taxCodeId,
      {
        name: 'Both',
        components: [
          { name: 'State', rate: '5', isCompound: false },
          { name: 'Province', rate: '10', isCompound: true },
        ],
      },
    ],
  ]),
  subtotalMinor: 20_000n,
  taxTotalMinor: 1550n,
  totalMinor: 21_550n,
}

it('holds the stored figures as text, and what each tax was charged on', () => {
  expect(buildSnapshot(frozen)).toMatchObject({
    version: 1,
    frozenAt: '2026-11-15T10:00:00.000Z',
    organisation: { name: 'Example Goods', address: '1 Example Street', taxNumber: 'T-1' },
    contact: { name: 'Ada', email: 'ada@example.com' },
    lines: [
      { quantity: '2', unitPrice: '50.00', discountPct: null, taxCode: 'Both', net: '100.00' },
      { discountPct: '10', taxCode: null, net: '100.00' },
    ],
    taxes: [
      { taxCode: 'Both', component: 'State', rate: '5', net: '100.00', tax: '5.00' },
      { taxCode: 'Both', component: 'Province', rate: '10', net: '105.00', tax: '10.50' },
    ],
    subtotal: '200.00',
    taxTotal: '15.50',
    total: '215.50',
    amountDue: '215.50',
    paymentDetails: 'Account 12',
  })
})

it('asks for money on invoices alone', () => {
  const asked = { amountDue: null, paymentDetails: null }
  expect(buildSnapshot({ ...frozen, kind: 'credit_note' })).toMatchObject(asked)
  expect(buildSnapshot({ ...frozen, kind: 'quote' })).toMatchObject(asked)
})

it('names the organisation by its legal name where it has one', () => {
  const organisation = { ...frozen.organisation, legalName: 'Example Goods Ltd' }
  const { organisation: printed } = buildSnapshot({ ...frozen, organisation })
  expect(printed.name).toBe('Example Goods Ltd')
})

it('writes amounts with the decimals of the currency', () => {
  const [{ net } = { net: '' }] = buildSnapshot({ ...frozen, currency: 'JPY' }).lines
  expect(net).toBe('10000')
  expect(buildSnapshot({ ...frozen, currency: 'KWD' }).total).toBe('21.550')
})
