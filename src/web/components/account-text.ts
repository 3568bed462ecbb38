// A bank account as people see it, without its number.
type ShownAccount = {
  readonly beneficiaryName?: string | null | undefined
  readonly bankCode?: string | null | undefined
  readonly accountEnding?: string | null | undefined
}

export function accountText({ beneficiaryName, bankCode, accountEnding }: ShownAccount): string {
  return `${beneficiaryName ?? ''}, bank ${bankCode ?? ''}, account ····${accountEnding ?? ''}`
}

export function accountPurpose(currency: string | null | undefined): string {
  return currency ? `Payouts in ${currency}` : 'All currencies without their own account'
}
