// The acts of keeping books. One bookkeeper does them through the operations, another through the
// forms of the pages. Accounts are named by their code, contacts and taxes by their name.

export type PaperKind = 'invoice' | 'credit_note' | 'bill' | 'supplier_credit' | 'expense_claim'

export type Paper = { readonly kind: PaperKind; readonly id: string }

export type PaperLine = {
  readonly description: string
  readonly quantity: string
  readonly unitPrice: string
  readonly discountPct?: string
  readonly account: string
  readonly tax?: string
}

export type PaperFacts = {
  readonly contact: string
  readonly date: string
  readonly currency?: string
  // Of the document; otherwise that of its day.
  readonly rate?: string
  readonly lines: readonly PaperLine[]
}

export type Money = {
  readonly date: string
  readonly amount: string
  readonly account: string
  // Of foreign money: the rate, or what the bank states; otherwise the rate of the day.
  readonly rate?: string
  readonly baseAmount?: string
}

export type JournalSide = { readonly debit: string } | { readonly credit: string }
export type JournalRow = JournalSide & { readonly account: string }

export type NewAccount = {
  readonly code: string
  readonly name: string
  readonly type: 'asset' | 'expense'
  readonly subtype: 'bank' | 'operating_expense'
  readonly currency: string | null
}

export type NewContact = {
  readonly name: string
  readonly type: 'customer' | 'supplier' | 'both'
  readonly currency: string | null
}

export type WriteOff = {
  readonly date: string
  readonly amount: string
  readonly claimsTaxRelief: boolean
  // Of the gain, for a bill.
  readonly account?: string
}

export type Bookkeeper = {
  addAccount(account: NewAccount): Promise<void>
  renumber(code: string, newCode: string): Promise<void>
  addTax(name: string, rate: string, isInclusive: boolean): Promise<void>
  addContact(contact: NewContact): Promise<void>
  // As the rows of a CSV file.
  importRates(csv: string): Promise<void>
  setRate(currency: string, date: string, rate: string): Promise<void>
  postOpeningBalances(date: string, balances: readonly JournalRow[]): Promise<void>
  draft(kind: PaperKind, facts: PaperFacts): Promise<Paper>
  changeDate(paper: Paper, date: string): Promise<void>
  // Issues a sale, approves a purchase.
  book(paper: Paper): Promise<void>
  pay(paper: Paper, money: Money): Promise<void>
  undoPayment(paper: Paper, date: string): Promise<void>
  // A draft with the same lines, dated on the day.
  credit(paper: Paper, date: string): Promise<Paper>
  // The credit is a document, or what the contact paid too much.
  useCredit(paper: Paper, credit: Paper | 'overpayment', date: string): Promise<void>
  refund(credit: Paper, money: Money): Promise<void>
  writeOff(paper: Paper, writeOff: WriteOff): Promise<void>
  void(paper: Paper, date: string): Promise<void>
  // A quote that its customer accepts on the hosted page becomes a draft invoice.
  invoiceQuote(facts: Omit<PaperFacts, 'date' | 'rate'>): Promise<Paper>
  // Returns what `reverse` needs.
  postJournal(date: string, description: string, rows: readonly JournalRow[]): Promise<string>
  reverse(journal: string, date: string): Promise<void>
  revalue(date: string): Promise<void>
  lock(until: string): Promise<void>
}
