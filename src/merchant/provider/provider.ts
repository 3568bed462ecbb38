// The payment provider as the rest of the service sees it. One adapter speaks to one provider; the
// simulator speaks the same wire format as the first real one, so both run the same adapter.
//
// Every answer is classified once, in the adapter: what the provider definitely did, what it
// definitely refused, and everything else, which is unknown and must be looked up, never guessed.
import type { Decimal } from '../../kernel/money/decimal.ts'

export type Outcome<Value> =
  | { readonly kind: 'success'; readonly value: Value }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly cause: string }

export type CheckoutInstruction = {
  // Ours, unique, and the key by which the charge is found again.
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
  // Whether it must be paid by a card that can be charged again.
  readonly cardOnly?: boolean
}

// A charge of a card that was charged before, without its payer.
export type SavedCardInstruction = {
  // Ours, unique, and the key by which the charge is found again.
  readonly reference: string
  readonly amountMinor: bigint
  readonly currency: string
  // The `token` of an earlier charge, and the address of its payer, which the provider compares.
  readonly token: string
  readonly payerEmail: string
  // Of the business, as ISO 3166-1.
  readonly country: string
  readonly note: string
}

// What the provider says about a charge. Amounts are as it wrote them: they may have more decimals
// than the currency.
export type ChargeFact = {
  readonly reference: string
  readonly transactionId: string
  readonly status: 'pending' | 'successful' | 'failed'
  readonly amount: Decimal
  readonly currency: string
  readonly providerFee: Decimal
  readonly amountSettled: Decimal | null
  readonly failureReason: string | null
  // For later charges of the same payer (subscriptions); null where the means of payment has none.
  readonly token: string | null
  // How the payer paid, in the provider's word, such as card.
  readonly method: string | null
}

export type RefundFact = {
  readonly refundId: string
  readonly transactionId: string
  readonly amount: Decimal
  // accepted: the provider has taken it on; settled: it has paid; failed: it will not pay.
  readonly status: 'accepted' | 'settled' | 'failed'
}

export type TransferInstruction = {
  // Ours, unique: a second transfer of the same reference is refused, whatever came of the first.
  readonly reference: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly bankCode: string
  readonly accountNumber: string
  readonly beneficiaryName: string
  readonly note: string
}

// What the provider says about a transfer to a bank. Amounts are as it wrote them.
export type TransferFact = {
  readonly reference: string
  readonly transferId: string
  // pending: taken on; successful: the bank has it; failed: it has not, and the money is back.
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
}

export type BankAccount = { readonly bankCode: string; readonly accountNumber: string }

export type BankAccountCheck = 'known' | 'unknown_bank' | 'unknown_account'

export type SubaccountInstruction = BankAccount & {
  // Ours, for the provider's people to read; it is no key there.
  readonly reference: string
  readonly name: string
  readonly mobile: string
  readonly country: string
  // What the recipient gets.
  readonly recipientPercent: Decimal
}

// A bank account that shares in charges; `accountName` is its holder, as the provider knows it.
export type SubaccountFact = {
  readonly subaccountId: string
  readonly accountName: string | null
}

// What sub-accounts got of a charge that the provider has settled.
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
  // Whether it only plays with money; payers are told.
  readonly isSimulated: boolean
  // Where its pages are, beside our own address: payers are sent there by a form, and the browser
  // lets a form lead only to what the page names.
  readonly checkoutOrigins: readonly string[]
  // Whether the provider takes this currency at all.
  supports(currency: string): boolean
  // Less than this in one refund is refused; zero where there is no such limit.
  refundMinimumMinor(currency: string): bigint
  createCheckout(instruction: CheckoutInstruction): Promise<Outcome<{ url: string }>>
  chargeSavedCard(instruction: SavedCardInstruction): Promise<Outcome<ChargeFact>>
  // A charge that the provider does not know is `success` with null: that is an answer.
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
  // Of all transactions, also those of other programs on the same account, by the day on which they
  // were made. What cannot be read is left out.
  listRefundsBetween(range: {
    from: Date
    to: Date
    page: number
  }): Promise<Outcome<{ items: RefundFact[]; hasMore: boolean }>>
  // Ours of a transaction, where it has one; null where it has none of ours.
  findReference(transactionId: string): Promise<Outcome<string | null>>
  // By the day on which they were opened.
  listChargebacks(range: {
    from: Date
    to: Date
    page: number
  }): Promise<Outcome<{ items: ChargebackFact[]; hasMore: boolean }>>
  createTransfer(instruction: TransferInstruction): Promise<Outcome<TransferFact>>
  // A transfer that the provider does not know is `success` with null: that is an answer.
  findTransfer(reference: string): Promise<Outcome<TransferFact | null>>
  // One bank account has one sub-account; a second is refused, also one that somebody else made.
  createSubaccount(instruction: SubaccountInstruction): Promise<Outcome<SubaccountFact>>
  // A bank account that has none is `success` with null: that is an answer.
  findSubaccount(account: BankAccount): Promise<Outcome<SubaccountFact | null>>
  // Why a bank account was refused; `country` is that of the business, as ISO 3166-1.
  checkBankAccount(account: BankAccount, country: string): Promise<Outcome<BankAccountCheck>>
  // Of every charge in the settlements of these days, also those that were not split.
  listSettledSplits(range: { from: Date; to: Date }): Promise<Outcome<SettledSplit[]>>
}
