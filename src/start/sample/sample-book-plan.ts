// The documents of the ninety days, in every state that a document can have.
import {
  addContacts,
  addDocument,
  addItems,
  addQuote,
  payDocument,
  type SampleDocument,
  voidInvoice,
} from './sample-books.ts'
import type { MomentAt } from './sample-plan.ts'
import type { SampleStep } from './sample-world.ts'

type Good = 'beans' | 'tea' | 'service' | 'tasting'

// When it is issued, and what is paid of it when; both in days before the last one.
type Invoice = {
  readonly issued: number
  readonly contact: string
  readonly good: Good
  readonly quantity: string
  readonly paid?: readonly (readonly [number, string])[]
}

const invoices: readonly Invoice[] = [
  { issued: 84, contact: 'cafe', good: 'beans', quantity: '3', paid: [[74, '156000']] },
  { issued: 77, contact: 'hotel', good: 'tasting', quantity: '1', paid: [[64, '60000']] },
  {
    ...{ issued: 68, contact: 'offices', good: 'beans', quantity: '4' },
    paid: [
      [58, '100000'],
      [50, '108000'],
    ],
  },
  { issued: 61, contact: 'deli', good: 'tea', quantity: '6', paid: [[49, '111000']] },
  { issued: 54, contact: 'cafe', good: 'service', quantity: '1', paid: [[40, '35000']] },
  { issued: 46, contact: 'hotel', good: 'beans', quantity: '5', paid: [[30, '150000']] },
  { issued: 43, contact: 'deli', good: 'tasting', quantity: '1' },
  { issued: 38, contact: 'offices', good: 'service', quantity: '2' },
  { issued: 33, contact: 'cafe', good: 'beans', quantity: '4', paid: [[21, '208000']] },
  { issued: 29, contact: 'deli', good: 'tea', quantity: '4' },
  { issued: 22, contact: 'offices', good: 'tasting', quantity: '2', paid: [[9, '120000']] },
  { issued: 16, contact: 'hotel', good: 'beans', quantity: '6', paid: [[5, '200000']] },
  { issued: 9, contact: 'cafe', good: 'tea', quantity: '5' },
  { issued: 3, contact: 'offices', good: 'beans', quantity: '2' },
]

type Bill = {
  readonly approved: number
  readonly contact: string
  readonly text: string
  readonly price: string
  readonly account: string
  readonly paid?: number
}

const rent = { contact: 'landlord', text: 'Shop rent', price: '180000', account: '6350' }
const beans = { contact: 'roastery', text: 'Green coffee', price: '240000', account: '5000' }
const bags = { contact: 'packaging', text: 'Bags and labels', price: '46500', account: '5000' }

const bills: readonly Bill[] = [
  { approved: 86, ...rent, paid: 80 },
  { approved: 79, ...beans, paid: 60 },
  { approved: 56, ...rent, paid: 51 },
  { approved: 53, ...bags, paid: 35 },
  { approved: 47, ...beans, paid: 25 },
  { approved: 42, ...bags },
  { approved: 26, ...rent, paid: 20 },
  { approved: 14, ...beans },
]

export function bookSteps(at: MomentAt): SampleStep[] {
  return [
    { at: at(89, 8), run: addContacts },
    { at: at(89, 8, 30), run: addItems },
    ...invoices.flatMap((invoice, index) => invoiceSteps(at, invoice, index)),
    ...bills.flatMap((bill, index) => billSteps(at, bill, index)),
    ...otherSteps(at),
  ]
}

function invoiceSteps(at: MomentAt, invoice: Invoice, index: number): SampleStep[] {
  const { issued, contact, good, quantity, paid = [] } = invoice
  const name = `invoice ${issued}`
  const lines = [{ good, quantity }]
  return [
    {
      at: at(issued, 9, index),
      run: (world) => addDocument(world, { name, kind: 'invoice', contact, lines }),
    },
    ...paid.map(([daysAgo, amount]) => ({
      at: at(daysAgo, 11, index),
      run: (world: Parameters<SampleStep['run']>[0]) =>
        payDocument(world, { document: name, contact, direction: 'in', amount }),
    })),
  ]
}

function billSteps(at: MomentAt, bill: Bill, index: number): SampleStep[] {
  const { approved, contact, paid, ...line } = bill
  const name = `bill ${approved}`
  const lines = [{ ...line, quantity: '1' }]
  const steps: SampleStep[] = [
    {
      at: at(approved, 14, index),
      run: (world) => addDocument(world, { name, kind: 'bill', contact, lines }),
    },
  ]
  if (paid === undefined) return steps
  const payment = { document: name, contact, direction: 'out', amount: bill.price } as const
  return [...steps, { at: at(paid, 15, index), run: (world) => payDocument(world, payment) }]
}

function otherSteps(at: MomentAt): SampleStep[] {
  const draft = (name: string, good: Good, contact: string): SampleDocument => {
    return { name, kind: 'invoice', contact, lines: [{ good, quantity: '2' }], isDraft: true }
  }
  const credit: SampleDocument = {
    ...{ name: 'credit note', kind: 'credit_note', contact: 'cafe', credits: 'invoice 9' },
    lines: [{ good: 'tea', quantity: '1', text: 'One bag arrived damaged' }],
  }
  const claim: SampleDocument = {
    ...{ name: 'claim', kind: 'expense_claim', contact: 'roastery' },
    lines: [{ text: 'Train to the tasting fair', quantity: '1', price: '24500', account: '6550' }],
  }
  const lines = [{ good: 'beans', quantity: '10' }] as const
  return [
    { at: at(37, 16), run: (world) => voidInvoice(world, 'invoice 38') },
    { at: at(7, 12), run: (world) => addDocument(world, credit) },
    { at: at(18, 17), run: (world) => addDocument(world, claim) },
    { at: at(1, 16), run: (world) => addDocument(world, draft('draft 1', 'beans', 'hotel')) },
    { at: at(1, 17), run: (world) => addDocument(world, draft('draft 2', 'service', 'deli')) },
    {
      at: at(65, 10),
      run: (world) => addQuote(world, { name: 'quote 1', contact: 'hotel', lines, isSent: true }),
    },
    {
      at: at(6, 10),
      run: (world) => addQuote(world, { name: 'quote 2', contact: 'offices', lines, isSent: true }),
    },
    {
      at: at(2, 10),
      run: (world) => addQuote(world, { name: 'quote 3', contact: 'deli', lines, isSent: false }),
    },
  ]
}
