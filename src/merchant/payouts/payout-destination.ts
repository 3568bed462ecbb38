// The destination of a payout, stored with the payout as requested: a repeated send must go to the
// same account, and an approver agrees to exactly this account.
//
// The encrypted part contains the number and a salt. The fingerprint uses the salt, so that
// approvals and the audit log can show it without revealing the number.
import { createHash } from 'node:crypto'
import type { Secrets } from '../../kernel/auth/secrets.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Ids } from '../../kernel/basics/id.ts'
import type { ApprovalRequest } from '../approvals/approval.ts'
import { accountEnding, type SettlementAccount } from '../business/settlement-account.ts'
import type { TransferInstruction } from '../provider/provider.ts'
import type { Payout } from './payout.ts'

export type KeptDestination = Pick<
  Payout,
  'bankCode' | 'accountSealed' | 'accountEnding' | 'beneficiaryName'
>

export const noDestination: KeptDestination = {
  bankCode: null,
  accountSealed: null,
  accountEnding: null,
  beneficiaryName: null,
}

const saltBytes = 16

export const sealedPayoutRow = (payoutId: string) => `merchant.payouts/${payoutId}`

export function sealDestination(
  secrets: Secrets,
  ids: Ids,
  payoutId: string,
  { bankCode, accountNumber, beneficiaryName }: SettlementAccount,
): KeptDestination {
  const salt = ids.randomBytes(saltBytes).toString('hex')
  return {
    bankCode,
    accountSealed: secrets.seal(`${salt}:${accountNumber}`, sealedPayoutRow(payoutId)),
    accountEnding: accountEnding(accountNumber),
    beneficiaryName,
  }
}

function openDestination(
  secrets: Secrets,
  payout: Pick<Payout, 'id'> & KeptDestination,
): SettlementAccount & { readonly salt: string } {
  const sealed = assertDefined(payout.accountSealed, 'a transfer to no account')
  const [salt = '', accountNumber = ''] = secrets
    .open(sealed, sealedPayoutRow(payout.id))
    .toString('utf8')
    .split(':')
  return {
    bankCode: assertDefined(payout.bankCode, 'a transfer to no bank'),
    accountNumber,
    beneficiaryName: assertDefined(payout.beneficiaryName, 'a transfer without a beneficiary'),
    salt,
  }
}

export function fingerprint(account: SettlementAccount, salt: string): string {
  const { bankCode, accountNumber, beneficiaryName } = account
  const text = JSON.stringify([salt, bankCode, accountNumber, beneficiaryName])
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

export function transferInstruction(secrets: Secrets, payout: Payout): TransferInstruction {
  const { salt: _, ...account } = openDestination(secrets, payout)
  const { id, amountMinor, currency } = payout
  const reference = assertDefined(payout.providerReference, 'a transfer without a reference')
  return { ...account, reference, amountMinor, currency, note: `Payout ${id}` }
}

// What an approver agrees to: this amount, to this account. If the account on file has changed, so
// has its fingerprint, and the approval executes nothing.
//
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
