// The addresses of the merchant ledger, of one business in one environment. docs/ledger.md says
// what each stands for and what every event posts; keep both alike.
export const ledgerAccounts = {
  // What the provider has collected and not settled, and what lies settled there.
  providerReceivable: 'provider:receivable',
  providerBalance: 'provider:balance',
  // What the merchant is owed: not yet settled, and free to be paid out.
  merchantPending: 'merchant:pending',
  merchantAvailable: 'merchant:available',
  // What the merchant has put aside inside the service.
  merchantWallet: 'merchant:wallet',
  platformFees: 'platform:fees',
  platformProviderFees: 'platform:provider_fees',
  // The recipients' shares, until the provider has settled them.
  recipientsOwed: 'recipients:owed',
  // Money that belongs to no payment that wants it; it is given back or explained.
  suspense: 'suspense:unmatched',
} as const

// Where the money of the simulator lies after a real provider was configured (close-simulator.ts).
export function simulatedAccount(account: string): string {
  return `simulated:${account}`
}
