// The bank account that payouts go to. Its number is encrypted at rest, bound to the row of its
// business, and never shown; people see its last digits.
import type { Secrets } from '../../kernel/auth/secrets.ts'

export type SettlementAccount = {
  readonly bankCode: string
  readonly accountNumber: string
  readonly beneficiaryName: string
}

export type StoredSettlementAccount = Omit<SettlementAccount, 'accountNumber'> & {
  readonly accountNumberSealed: Buffer
}

// The associated data of the encrypted number.
export const sealedSettlementRow = (businessId: string) =>
  `merchant.settlement_accounts/${businessId}`

export function sealAccount(
  secrets: Secrets,
  businessId: string,
  { accountNumber, ...rest }: SettlementAccount,
): StoredSettlementAccount {
  return {
    ...rest,
    accountNumberSealed: secrets.seal(accountNumber, sealedSettlementRow(businessId)),
  }
}

export function openAccount(
  secrets: Secrets,
  businessId: string,
  { accountNumberSealed, bankCode, beneficiaryName }: StoredSettlementAccount,
): SettlementAccount {
  const accountNumber = secrets
    .open(accountNumberSealed, sealedSettlementRow(businessId))
    .toString('utf8')
  return { bankCode, accountNumber, beneficiaryName }
}

// What people see.
export type MaskedAccount = Omit<SettlementAccount, 'accountNumber'> & {
  readonly accountEnding: string
}

export function maskAccount({ accountNumber, ...rest }: SettlementAccount): MaskedAccount {
  return { ...rest, accountEnding: accountEnding(accountNumber) }
}

export function accountEnding(accountNumber: string): string {
  return accountNumber.slice(-4)
}

// People write numbers in groups and codes in lower case. It is still the same account.
export function normalAccount(account: SettlementAccount): SettlementAccount {
  return {
    bankCode: normalNumber(account.bankCode),
    accountNumber: normalNumber(account.accountNumber),
    beneficiaryName: account.beneficiaryName.normalize('NFKC').replaceAll(/\s+/gu, ' ').trim(),
  }
}

// Whether all given details match this account.
export function isOfAccount(
  account: SettlementAccount,
  said: { readonly [field in keyof SettlementAccount]?: string | undefined },
): boolean {
  const known = normalAccount(account)
  const meant = normalAccount({ ...known, ...definedOnly(said) })
  return (
    meant.bankCode === known.bankCode &&
    meant.accountNumber === known.accountNumber &&
    caseless(meant.beneficiaryName) === caseless(known.beneficiaryName)
  )
}

function normalNumber(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\s-]+/gu, '')
    .toUpperCase()
}

// Upper case first, because letters such as ß only match that way.
function caseless(text: string): string {
  return text.toUpperCase().toLowerCase()
}

function definedOnly(
  said: {
    readonly [field in keyof SettlementAccount]?: string | undefined
  },
): Partial<SettlementAccount> {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
}
