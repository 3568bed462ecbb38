// The split of a payment: who gets how much.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { parseDecimal } from '../../kernel/money/decimal.ts'
import { splitOf } from '../fees/fee-schedule.ts'
import type { Payment } from '../payments/payment.ts'
import type { CheckoutInstruction, ProviderName } from '../provider/provider.ts'
import { expectedProviderFee } from '../provider/provider-fee.ts'
import { findSplitTerms, findSubaccountId } from './checkout-store.ts'
import type { Offer } from './offer.ts'

// For the audit log: says if the named recipient gets nothing.
export function splitDetail({ splitRecipientId }: Offer, { splitMinor }: Payment) {
  if (!splitRecipientId) return {}
  const settlesTo = splitMinor === null ? 'merchant' : 'recipient'
  return { splitRecipientId, settlesTo, splitMinor: splitMinor?.toString() ?? null }
}

// Fixed when the payment is created, because the provider gets the amount then. The recipient gets
// a percentage of the charge, but never more than our fee leaves, nor more than the provider's fee
// leaves, which may be the higher of the two.
export async function splitFor(
  tx: Tx,
  offer: Offer,
  provider: ProviderName,
  { amountMinor, feeMinor }: { readonly amountMinor: bigint; readonly feeMinor: bigint },
) {
  const { tenant, currency, splitRecipientId } = offer
  const terms = splitRecipientId && (await findSplitTerms(tx, tenant, splitRecipientId, provider))
  if (!terms) return undefined
  const percent = assertDefined(parseDecimal(terms.percent), 'a split that is no number')
  const shareMinor = least(
    splitOf(amountMinor, percent),
    amountMinor - feeMinor,
    amountMinor - expectedProviderFee(currency, amountMinor),
  )
  return shareMinor > 0n ? ({ rule: 'of_charge', amountMinor: shareMinor } as const) : undefined
}

function least(first: bigint, ...others: readonly bigint[]): bigint {
  return others.reduce((lowest, other) => (other < lowest ? other : lowest), first)
}

// The split sent to the provider. It must match the payment and the ledger, so a recipient who was
// disabled since still gets this share.
export async function splitInstruction(
  sql: Sql,
  tenant: Tenant,
  { splitRecipientId, splitMinor }: Payment,
): Promise<CheckoutInstruction['split']> {
  if (splitRecipientId === null || splitMinor === null) return null
  const found = await findSubaccountId(sql, tenant, splitRecipientId)
  const subaccountId = assertDefined(found, 'a split without a registered recipient')
  return { subaccountId, amountMinor: splitMinor }
}
