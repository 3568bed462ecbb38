// The accounts of the merchant ledger, of one business in one environment. docs/ledger.md explains
// each account and lists all postings; keep it up to date.
export const ledgerAccounts = {
  // Money that the provider has collected but not settled, and settled money at the provider.
  providerReceivable: 'provider:receivable',
  providerBalance: 'provider:balance',
  // What the merchant is owed: not yet settled, and available for payout.
  merchantPending: 'merchant:pending',
  merchantAvailable: 'merchant:available',
  // Money that the merchant set aside inside the service.
  merchantWallet: 'merchant:wallet',
  platformFees: 'platform:fees',
  platformProviderFees: 'platform:provider_fees',
  // The recipients' shares, until the provider has settled them.
  recipientsOwed: 'recipients:owed',
  // Money that no payment can use; it is refunded or clarified.
  suspense: 'suspense:unmatched',
} as const

// Where the money of the simulator lies after a real provider was configured (close-simulator.ts).
export function simulatedAccount(account: string): string {
  return `simulated:${account}`
}
