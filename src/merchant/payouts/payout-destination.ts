// Where a payout goes, kept with the payout as it was when it was asked for: sending again must
// send to the same place, and whoever approves agrees to this account and no other.
//
// The sealed part holds the number and a salt. The fingerprint is made with the salt, so that it
// can stand in an approval, where people and the audit log see it, without giving the number away.
import { createHash } from 'node:crypto'
import type { Secrets } from '../../kernel/auth/secrets.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Ids } from '../../kernel/basics/id.ts'
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

export function openDestination(
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
    beneficiaryName: assertDefined(payout.beneficiaryName, 'a transfer to nobody'),
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
