// A sub-account: a bank account that gets a share of charges. This API uses its `id`; charges use
// its other id, `RS_…`.
import type { Decimal } from '../../kernel/money/decimal.ts'
import { toText } from '../../kernel/money/decimal.ts'
import { parseJson } from '../../kernel/money/exact-number.ts'

export type Subaccount = {
  readonly id: bigint
  readonly subaccountId: string
  readonly accountBank: string
  readonly accountNumber: string
  readonly fullName: string
  readonly bankName: string
  readonly businessName: string
  readonly businessEmail: string | null
  readonly businessMobile: string
  readonly businessContact: string | null
  readonly businessContactMobile: string | null
  readonly country: string
  readonly meta: string
  readonly splitType: 'percentage' | 'flat'
  readonly splitValue: Decimal
  readonly isChanged: boolean
  readonly createdAt: Date
}

export function presentSubaccount(subaccount: Subaccount, accountId: bigint) {
  return {
    id: subaccount.id,
    account_number: subaccount.accountNumber,
    account_bank: subaccount.accountBank,
    business_name: subaccount.businessName,
    business_email: subaccount.businessEmail,
    business_mobile: subaccount.businessMobile,
    business_contact: subaccount.businessContact,
    business_contact_mobile: subaccount.businessContactMobile,
    full_name: subaccount.fullName,
    created_at: subaccount.createdAt.toISOString(),
    meta: parseJson(subaccount.meta),
    account_id: accountId,
    country: subaccount.country,
    split_type: subaccount.splitType,
    // The provider is inconsistent: a number at first, text after a change.
    split_value: subaccount.isChanged ? toText(subaccount.splitValue) : subaccount.splitValue,
    subaccount_id: subaccount.subaccountId,
    bank_name: subaccount.bankName,
  }
}
