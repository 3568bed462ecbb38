// A year of a small company that sells and buys in two currencies. Every kind of document, payment
// and correction occurs, and amounts are such that rounding matters.
import type { Bookkeeper, Paper, PaperLine } from './bookkeeper.ts'

const bank = '1000'
const dollarAccount = '1020'
const months = Array.from({ length: 12 }, (_, index) => index + 1)

// What one US dollar was worth in euro from the first of each month.
const dollarRates = [
  ...['0.9217', '0.9254', '0.9199', '0.9312', '0.9268', '0.9301'],
  ...['0.9189', '0.9075', '0.8976', '0.9158', '0.9442', '0.9561'],
]

export async function keepReferenceYear(keeper: Bookkeeper, year: number): Promise<void> {
  const day = (month: number, date: number) =>
    `${year}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`
  await setUp(keeper, year, day)
  const open: Open = { invoices: new Map(), bills: new Map() }
  for (const month of months) {
    await keepMonth(keeper, month, open, day)
    await specials[month]?.(keeper, open, day)
  }
  await keeper.revalue(day(12, 31))
  await keeper.lock(day(12, 31))
}

type Day = (month: number, date: number) => string

// By the month in which they were booked, foreign ones by `-month`.
type Open = { readonly invoices: Map<number, Paper>; readonly bills: Map<number, Paper> }

function taken(papers: Map<number, Paper>, key: number): Paper {
  const paper = papers.get(key)
  if (!paper) throw new Error(`no document ${key}`)
  return paper
}

async function setUp(keeper: Bookkeeper, year: number, day: Day): Promise<void> {
  const noCurrency = { currency: null }
  await keeper.addAccount({
    code: dollarAccount,
    name: 'Dollar account',
    type: 'asset',
    subtype: 'bank',
    currency: 'USD',
  })
  await keeper.addAccount({
    code: '6999',
    name: 'Postage',
    type: 'expense',
    subtype: 'operating_expense',
    ...noCurrency,
  })
  await keeper.renumber('6999', '6320')
  await keeper.addTax('Standard', '19', false)
  await keeper.addTax('Reduced', '7', false)
  await keeper.addTax('Included', '19', true)
  await keeper.addContact({ name: 'Acme Ltd', type: 'customer', ...noCurrency })
  await keeper.addContact({ name: 'Bolt Inc', type: 'customer', currency: 'USD' })
  await keeper.addContact({ name: 'Paper & Sons', type: 'supplier', ...noCurrency })
  await keeper.addContact({ name: 'Globe Corp', type: 'both', currency: 'USD' })
  const rates = dollarRates.slice(0, 11).map((rate, at) => `USD,${day(at + 1, 1)},${rate}`)
  await keeper.importRates(['currency,date,rate', ...rates, ''].join('\n'))
  await keeper.setRate('USD', day(12, 1), dollarRates[11] ?? '')
  await keeper.postOpeningBalances(`${year - 1}-12-31`, [
    { account: bank, debit: '25310.77' },
    { account: '1500', debit: '8400' },
    { account: '1510', credit: '2100' },
    { account: '3000', credit: '20000' },
    { account: '3200', credit: '11610.77' },
  ])
}

const line = (description: string, unitPrice: string, rest: Partial<PaperLine> = {}) => ({
  description,
  quantity: '1',
  unitPrice,
  account: '4000',
  tax: 'Standard',
  ...rest,
})

async function keepMonth(keeper: Bookkeeper, month: number, open: Open, day: Day) {
  const sale = await keeper.draft('invoice', {
    contact: 'Acme Ltd',
    date: day(month, 5),
    lines: [
      line('Goods', '1234.56', { quantity: `${month}` }),
      line('Books', '25.61', { quantity: '3', discountPct: '2.5', tax: 'Reduced' }),
      line('Work', '87.35', { quantity: '7.75', account: '4100', tax: 'Included' }),
    ],
  })
  await keeper.book(sale)
  open.invoices.set(month, sale)

  const export_ = await keeper.draft('invoice', {
    contact: 'Bolt Inc',
    date: day(month, 9),
    lines: [
      line('Licence', '333.33', { quantity: '3', account: '4100' }),
      line('Support', `${100 + month}.07`, { account: '4100', discountPct: '10' }),
    ],
    ...(month % 4 === 0 && { rate: '0.93' }),
  })
  await keeper.book(export_)
  open.invoices.set(-month, export_)

  const purchase = await keeper.draft('bill', {
    contact: 'Paper & Sons',
    date: day(month, 7),
    lines: [
      line('Paper', '0.83', { quantity: '301', account: '6300' }),
      line('Stamps', '42.10', { account: '6320', tax: 'Reduced' }),
      line('Goods', '410.99', { account: '5000', quantity: '1.5' }),
    ],
  })
  await keeper.book(purchase)
  open.bills.set(month, purchase)

  const service = await keeper.draft('bill', {
    contact: 'Globe Corp',
    date: day(month, 11),
    currency: 'USD',
    lines: [line('Hosting', '219.95', { account: '6450', quantity: '2' })],
  })
  await keeper.book(service)
  open.bills.set(-month, service)

  const claim = await keeper.draft('expense_claim', {
    contact: 'Paper & Sons',
    date: day(month, 18),
    lines: [line('Train', '61.40', { account: '6550', tax: 'Reduced' })],
  })
  await keeper.book(claim)
  await keeper.pay(claim, { date: day(month, 25), amount: '65.70', account: bank })

  // Paid by the end of the month, in two parts; the second is stated by the bank.
  await keeper.pay(service, { date: day(month, 20), amount: '200', account: bank })
  const rest = { date: day(month, 26), amount: '323.48', account: bank, baseAmount: '297.61' }
  await keeper.pay(service, month % 3 === 0 ? { ...rest, account: dollarAccount } : rest)
  if (month % 2 === 1) {
    await keeper.pay(export_, { date: day(month, 28), amount: '650.5', account: dollarAccount })
  }

  const rows = [
    { account: '6700', debit: '175' },
    { account: '1510', credit: '175' },
  ]
  await keeper.postJournal(day(month, 28), `Depreciation of month ${month}`, rows)
}

type Special = (keeper: Bookkeeper, open: Open, day: Day) => Promise<void>

const specials: Readonly<Record<number, Special>> = {
  async 1(keeper, open, day) {
    const money = { date: day(1, 20), amount: '1000', account: bank }
    await keeper.pay(taken(open.invoices, 1), money)
    await keeper.pay(taken(open.bills, 1), { date: day(1, 21), amount: '1000', account: bank })
    const rows = [
      { account: '6350', debit: '900' },
      { account: '2300', credit: '900' },
    ]
    const accrual = await keeper.postJournal(day(1, 31), 'Rent not billed yet', rows)
    await keeper.reverse(accrual, day(2, 1))
  },
  // More than is due: the rest is used for the next invoice.
  async 2(keeper, open, day) {
    await keeper.pay(taken(open.invoices, 2), { date: day(2, 19), amount: '4500', account: bank })
    await keeper.useCredit(taken(open.invoices, 1), 'overpayment', day(2, 20))
  },
  // A payment that was recorded for the wrong invoice.
  async 3(keeper, open, day) {
    const money = { date: day(3, 12), amount: '1500', account: bank }
    await keeper.pay(taken(open.invoices, 3), money)
    await keeper.undoPayment(taken(open.invoices, 3), day(3, 13))
    await keeper.pay(taken(open.invoices, 3), { ...money, date: day(3, 14), amount: '1499.99' })
  },
  async 4(keeper, open, day) {
    const credit = await keeper.credit(taken(open.invoices, 4), day(4, 22))
    await keeper.book(credit)
    await keeper.useCredit(taken(open.invoices, 4), credit, day(4, 23))
  },
  // A credit in another currency than the books, paid back at another rate.
  async 5(keeper, _open, day) {
    const credit = await keeper.draft('credit_note', {
      contact: 'Bolt Inc',
      date: day(5, 14),
      lines: [line('Discount for last year', '77.77', { account: '4100' })],
    })
    await keeper.book(credit)
    const money = { date: day(5, 29), amount: '92.55', account: bank, rate: '0.95' }
    await keeper.refund(credit, money)
  },
  async 6(keeper, open, day) {
    const written = { date: day(6, 28), amount: '600', claimsTaxRelief: true }
    await keeper.writeOff(taken(open.invoices, 6), written)
    const again = { date: day(6, 29), amount: '0.07', claimsTaxRelief: false }
    await keeper.writeOff(taken(open.invoices, 6), again)
    const settled = { date: day(6, 29), amount: '11.11', claimsTaxRelief: true, account: '4900' }
    await keeper.writeOff(taken(open.bills, 6), settled)
  },
  async 7(keeper, open, day) {
    await keeper.void(taken(open.invoices, -6), day(7, 19))
    await keeper.void(taken(open.bills, 7), day(8, 1))
  },
  async 8(keeper, open, day) {
    const credit = await keeper.draft('supplier_credit', {
      contact: 'Paper & Sons',
      date: day(8, 15),
      lines: [line('Paper that was wet', '0.83', { account: '6300', quantity: '99' })],
    })
    await keeper.book(credit)
    await keeper.useCredit(taken(open.bills, 8), credit, day(8, 16))
  },
  async 9(keeper, _open, day) {
    const invoice = await keeper.invoiceQuote({
      contact: 'Acme Ltd',
      lines: [line('Set-up', '2120.44', { account: '4100', discountPct: '10' })],
    })
    await keeper.changeDate(invoice, day(9, 21))
    await keeper.book(invoice)
    await keeper.pay(invoice, { date: day(9, 30), amount: '2271', account: bank })
  },
  // Three payments that together close a foreign invoice, each at another rate.
  async 10(keeper, open, day) {
    const invoice = taken(open.invoices, -10)
    const account = bank
    await keeper.pay(invoice, { date: day(10, 12), amount: '400', account, rate: '0.9201' })
    await keeper.pay(invoice, { date: day(10, 13), amount: '400', account, rate: '0.8999' })
    await keeper.pay(invoice, { date: day(10, 14), amount: '507.87', account })
  },
}
