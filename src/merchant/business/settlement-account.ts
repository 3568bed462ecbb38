// The bank accounts that payouts go to. Their numbers are encrypted at rest, each bound to its row,
// and never shown; people see the last digits.
import type { Secrets } from '../../kernel/auth/secrets.ts'

export type SettlementAccount = {
  readonly bankCode: string
  readonly accountNumber: string
  readonly beneficiaryName: string
}

// Beside the account itself. A business has one account for each currency that it names, and one
// for all others (null).
export type AccountPurpose = {
  readonly currency: string | null
  // The holder as the bank knows them; null if the provider could not tell.
  readonly holderName: string | null
}

export type StoredSettlementAccount = Omit<SettlementAccount, 'accountNumber'> &
  AccountPurpose & {
    readonly id: string
    readonly accountNumberSealed: Buffer
  }

// A new account that waits for a second person. `id` is the id of the approval; the sealed part
// holds a salt too, as that of a payout does.
export type RequestedAccount = Omit<SettlementAccount, 'accountNumber'> &
  AccountPurpose & {
    readonly id: string
    readonly accountSealed: Buffer
  }

// The associated data of the encrypted numbers.
export const sealedSettlementRow = (id: string) => `merchant.settlement_accounts/${id}`
export const sealedRequestRow = (id: string) => `merchant.settlement_account_requests/${id}`

export function sealAccount(
  secrets: Secrets,
  id: string,
  { accountNumber, bankCode, beneficiaryName }: SettlementAccount,
  { currency, holderName }: AccountPurpose,
): StoredSettlementAccount {
  const accountNumberSealed = secrets.seal(accountNumber, sealedSettlementRow(id))
  return { id, currency, bankCode, accountNumberSealed, beneficiaryName, holderName }
}

export function openAccount(
  secrets: Secrets,
  { id, accountNumberSealed, bankCode, beneficiaryName }: StoredSettlementAccount,
): SettlementAccount {
  const accountNumber = secrets.open(accountNumberSealed, sealedSettlementRow(id)).toString('utf8')
  return { bankCode, accountNumber, beneficiaryName }
}

// What people see.
export type MaskedAccount = Omit<SettlementAccount, 'accountNumber'> &
  AccountPurpose & {
    readonly accountEnding: string
  }

export function maskAccount(
  { accountNumber, bankCode, beneficiaryName }: SettlementAccount,
  { currency, holderName }: AccountPurpose,
): MaskedAccount {
  const ending = accountEnding(accountNumber)
  return { currency, bankCode, accountEnding: ending, beneficiaryName, holderName }
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
