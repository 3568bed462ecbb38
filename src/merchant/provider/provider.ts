// The payment provider's interface. One adapter talks to one provider. The simulator has the same
// wire format as the first real provider, so both use the same adapter.
//
// Every answer is classified once, in the adapter: what the provider definitely did, what it
// definitely refused, and everything else, which is unknown and must be looked up, never guessed.
import type { Decimal } from '../../kernel/money/decimal.ts'

export type Outcome<Value> =
  | { readonly kind: 'success'; readonly value: Value }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly cause: string }

export type CheckoutInstruction = {
  // Our unique reference, by which the charge is looked up.
  readonly reference: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly payerEmail: string
  readonly payerName: string | null
  readonly title: string
  readonly description: string | null
  readonly returnUrl: string
  readonly sessionMinutes: number
  // What the recipient's sub-account receives of this charge.
  readonly split: { readonly subaccountId: string; readonly amountMinor: bigint } | null
  // Whether it must be paid with a card that can be charged again.
  readonly cardOnly?: boolean
}

// A charge of a saved card, without the payer.
export type SavedCardInstruction = {
  // Our unique reference, by which the charge is looked up.
  readonly reference: string
  readonly amountMinor: bigint
  readonly currency: string
  // The `token` of an earlier charge, and the payer's address, which the provider compares.
  readonly token: string
  readonly payerEmail: string
  // Of the business, as ISO 3166-1.
  readonly country: string
  readonly note: string
}

// The provider's report of a charge. Amounts are as written and may have more decimals than the
// currency.
export type ChargeFact = {
  readonly reference: string
  readonly transactionId: string
  readonly status: 'pending' | 'successful' | 'failed'
  readonly amount: Decimal
  readonly currency: string
  readonly providerFee: Decimal
  readonly amountSettled: Decimal | null
  readonly failureReason: string | null
  // For later charges of the same payer (subscriptions); null if the payment method has none.
  readonly token: string | null
  // How the payer paid, in the provider's word, such as card.
  readonly method: string | null
  // What the payer recognises the card by; null if it was none, or the provider does not tell.
  readonly card: KnownCard | null
}

export type KnownCard = {
  // In lower case, such as visa.
  readonly brand: string | null
  readonly last4: string
}

export type RefundFact = {
  readonly refundId: string
  readonly transactionId: string
  readonly amount: Decimal
  // accepted: the provider will pay it; settled: it has paid; failed: it will not pay.
  readonly status: 'accepted' | 'settled' | 'failed'
}

export type TransferInstruction = {
  // Our unique reference: a second transfer with the same one is refused, whatever the outcome of
  // the first.
  readonly reference: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly bankCode: string
  readonly accountNumber: string
  readonly beneficiaryName: string
  readonly note: string
}

// The provider's report of a transfer to a bank. Amounts are as written.
export type TransferFact = {
  readonly reference: string
  readonly transferId: string
  // pending: accepted; successful: the bank has it; failed: the money was returned.
  readonly status: 'pending' | 'successful' | 'failed'
  readonly amount: Decimal
  readonly currency: string
  readonly fee: Decimal
  readonly failureReason: string | null
}

export type ChargebackFact = {
  readonly chargebackId: string
  // Of the charge.
  readonly reference: string
  readonly status: 'open' | 'lost' | 'won'
  readonly amount: Decimal
  readonly currency: string
  // The merchant has answered, and the bank decides.
  readonly isContested: boolean
  // Until when the provider takes an answer, and what the payer says; null if it does not tell.
  readonly dueAt: Date | null
  readonly reason: string | null
}

export type BankAccount = { readonly bankCode: string; readonly accountNumber: string }

export type BankAccountCheck = 'known' | 'unknown_bank' | 'unknown_account'

export type SubaccountInstruction = BankAccount & {
  // Our reference, for the provider's staff only; it is not unique there.
  readonly reference: string
  readonly name: string
  readonly mobile: string
  readonly country: string
  // The recipient's share.
  readonly recipientPercent: Decimal
}

// A bank account that gets a share of charges; `accountName` is its holder, as the provider knows
// it.
export type SubaccountFact = {
  readonly subaccountId: string
  readonly accountName: string | null
}

// What sub-accounts got of a settled charge.
export type SettledSplit = {
  // Of the charge.
  readonly reference: string
  readonly currency: string
  readonly amount: Decimal
}

// As it stands in the database beside what went to it.
export type ProviderName = 'simulator' | 'flutterwave'

export type Provider = {
  readonly name: ProviderName
  // Whether it only simulates payments. Payers are told.
  readonly isSimulated: boolean
  // The addresses of its pages, besides ours: a form redirects payers there, and the browser allows
  // only addresses that the page names.
  readonly checkoutOrigins: readonly string[]
  // Whether the provider supports this currency.
  supports(currency: string): boolean
  // A smaller refund is refused; zero if there is no such limit.
  refundMinimumMinor(currency: string): bigint
  createCheckout(instruction: CheckoutInstruction): Promise<Outcome<{ url: string }>>
  chargeSavedCard(instruction: SavedCardInstruction): Promise<Outcome<ChargeFact>>
  // If the provider does not know the charge, this is `success` with null.
  findCharge(reference: string): Promise<Outcome<ChargeFact | null>>
  listCharges(range: {
    from: Date
    to: Date
    page: number
  }): Promise<Outcome<{ charges: ChargeFact[]; hasMore: boolean }>>
  refund(instruction: {
    transactionId: string
    amountMinor: bigint
    currency: string
    note: string
  }): Promise<Outcome<RefundFact>>
  listRefunds(transactionId: string): Promise<Outcome<RefundFact[]>>
  // Of all transactions, including other programs on the same account, by the day of the refund.
  // Unreadable entries are left out.
  listRefundsBetween(range: {
    from: Date
    to: Date
    page: number
  }): Promise<Outcome<{ items: RefundFact[]; hasMore: boolean }>>
  // Our reference of a transaction; null if it has none of ours.
  findReference(transactionId: string): Promise<Outcome<string | null>>
  // By the day on which they were opened.
  listChargebacks(range: {
    from: Date
    to: Date
    page: number
  }): Promise<Outcome<{ items: ChargebackFact[]; hasMore: boolean }>>
  createTransfer(instruction: TransferInstruction): Promise<Outcome<TransferFact>>
  // If the provider does not know the transfer, this is `success` with null.
  findTransfer(reference: string): Promise<Outcome<TransferFact | null>>
  // A bank account has one sub-account; a second is refused, even if someone else created the
  // first.
  createSubaccount(instruction: SubaccountInstruction): Promise<Outcome<SubaccountFact>>
  // If the bank account has none, this is `success` with null.
  findSubaccount(account: BankAccount): Promise<Outcome<SubaccountFact | null>>
  // Why a bank account was refused; `country` is that of the business, as ISO 3166-1.
  checkBankAccount(account: BankAccount, country: string): Promise<Outcome<BankAccountCheck>>
  // The name of the account's holder, as the bank knows it; null if the provider does not know the
  // account.
  findAccountHolder(account: BankAccount): Promise<Outcome<string | null>>
  // Of every charge in the settlements of these days, including those without a split.
  listSettledSplits(range: { from: Date; to: Date }): Promise<Outcome<SettledSplit[]>>
}
