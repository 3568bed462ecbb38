// The one bank destination that payouts may go to. Its number is sealed at rest, bound to the row
// of its business, and shown to nobody; people are shown how it ends.
import type { Secrets } from '../../kernel/auth/secrets.ts'

export type SettlementAccount = {
  readonly bankCode: string
  readonly accountNumber: string
  readonly beneficiaryName: string
}

export type StoredSettlementAccount = Omit<SettlementAccount, 'accountNumber'> & {
  readonly accountNumberSealed: Buffer
}

// What the sealed number is bound to.
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

// What people are shown.
export type MaskedAccount = Omit<SettlementAccount, 'accountNumber'> & {
  readonly accountEnding: string
}

export function maskAccount({ accountNumber, ...rest }: SettlementAccount): MaskedAccount {
  return { ...rest, accountEnding: accountEnding(accountNumber) }
}

export function accountEnding(accountNumber: string): string {
  return accountNumber.slice(-4)
}

// People write numbers in groups and codes in small letters; that makes no other account of it.
export function normalAccount(account: SettlementAccount): SettlementAccount {
  return {
    bankCode: normalNumber(account.bankCode),
    accountNumber: normalNumber(account.accountNumber),
    beneficiaryName: account.beneficiaryName.normalize('NFKC').replaceAll(/\s+/gu, ' ').trim(),
  }
}

// Whether everything that is said of an account is true of this one.
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

// Upper case first, because of letters such as ß that only then become alike.
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
