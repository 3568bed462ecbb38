// A chargeback: a cardholder disputes a payment at their bank, and the provider takes the money.
//
// open  the money is taken, and the dispute is not decided
// won   the money came back
// lost  it stays taken
//
// The payment keeps its status: what the merchant was told is not untold. What is charged back
// cannot be refunded as well.
import { type Posting, posting } from '../../kernel/ledger/posting.ts'
import { ledgerAccounts } from '../ledger-accounts.ts'

export type Chargeback = {
  readonly id: string
  readonly paymentId: string
  readonly providerChargebackId: string
  readonly status: 'open' | 'lost' | 'won'
  readonly amountMinor: bigint
  readonly currency: string
  // Taken from the merchant, or from money that no payment wanted.
  readonly ofMerchant: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
}

// May overdraw the merchant: the bank does not ask whether the money was paid out already.
export function openedPosting(chargeback: Chargeback): Posting {
  return movement(chargeback, 'chargeback.opened', chargeback.amountMinor)
}

// The exact opposite.
export function wonPosting(chargeback: Chargeback): Posting {
  return movement(chargeback, 'chargeback.won', -chargeback.amountMinor)
}

function movement(chargeback: Chargeback, kind: string, amountMinor: bigint): Posting {
  const { id, currency, ofMerchant } = chargeback
  const { merchantAvailable, suspense, providerBalance } = ledgerAccounts
  return posting({
    kind,
    sourceId: id,
    lines: [
      { account: ofMerchant ? merchantAvailable : suspense, currency, amountMinor },
      { account: providerBalance, currency, amountMinor: -amountMinor },
    ],
  })
}
