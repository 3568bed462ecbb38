import type { Payout } from '../../merchant/payouts/payout.ts'

export function payoutDestination(payout: Payout): string {
  const { destinationType, beneficiaryName, accountEnding } = payout
  if (destinationType === 'service_account') return 'Wallet'
  return `${beneficiaryName ?? 'Bank account'} ····${accountEnding ?? ''}`
}
