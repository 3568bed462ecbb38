// What an approver agrees to: this amount, to this account. If the account on file has changed, so
// has its fingerprint, and the approval executes nothing.
import type { Secrets } from '../../kernel/auth/secrets.ts'
import type { ApprovalRequest } from '../approvals/approval.ts'
import type { SettlementAccount } from '../business/settlement-account.ts'
import type { Payout } from './payout.ts'
import { fingerprint, openDestination } from './payout-destination.ts'

// `account` is the current account on file, for a new payout as well as for a held one.
export function payoutApprovalRequest(
  secrets: Secrets,
  payout: Payout,
  account: SettlementAccount | undefined,
): ApprovalRequest {
  return {
    payoutId: payout.id,
    currency: payout.currency,
    amountMinor: payout.amountMinor.toString(),
    destinationType: payout.destinationType,
    bankCode: payout.bankCode,
    accountEnding: payout.accountEnding,
    beneficiaryName: payout.beneficiaryName,
    destination: account ? fingerprint(account, openDestination(secrets, payout).salt) : null,
  }
}
