// Money that came in or went out, or a write-off. On the control account a payment is an open item
// like a document: incoming money is a credit, outgoing money a debit.
import { currencyOf } from '../../kernel/money/currency.ts'
import { divideRounded, toText } from '../../kernel/money/decimal.ts'
import { fromMinor } from '../../kernel/money/minor-units.ts'
import type { OpenItem } from './open-item.ts'

export type Payment = {
  readonly id: string
  readonly direction: 'in' | 'out'
  readonly method: 'cash' | 'payment_link' | 'write_off'
  readonly contactId: string
  readonly date: string
  readonly currency: string
  readonly amountMinor: bigint
  // Decimal text.
  readonly fxRate: string
  readonly baseMinor: bigint
  // Bank, clearing, or bad debts.
  readonly accountId: string
  // What came in or left there where the account is kept in a third currency: neither that of the
  // payment nor the base currency. Null otherwise.
  readonly accountCurrency: string | null
  readonly accountAmountMinor: bigint | null
  // The provider's fee.
  readonly feeMinor: bigint
  readonly reference: string | null
  // The payment of the merchant service that it records; unique.
  readonly externalId: string | null
  readonly removedAt: Date | null
  readonly createdByKind: 'key' | 'person' | 'system'
  readonly createdBy: string
  readonly createdAt: Date
}

// The payment as an open item, before anything of it is used.
export function openItemOf(payment: Payment, controlAccountId: string): OpenItem {
  const sign = payment.direction === 'in' ? -1n : 1n
  const amountMinor = sign * payment.amountMinor
  const baseMinor = sign * payment.baseMinor
  return {
    id: payment.id,
    source: 'payment',
    accountId: controlAccountId,
    contactId: payment.contactId,
    currency: payment.currency,
    date: payment.date,
    dueDate: payment.date,
    fxRate: payment.fxRate,
    amountMinor,
    baseMinor,
    openMinor: amountMinor,
    openBaseMinor: baseMinor,
  }
}

// Precise to a hundred-thousandth of the smallest unit.
const ratePlaces = 18

// The rate between two amounts that the bank exchanged.
export function rateBetween(
  amountMinor: bigint,
  currency: string,
  baseMinor: bigint,
  baseCurrency: string,
): string {
  const from = currencyOf(currency)
  const to = currencyOf(baseCurrency)
  const rate = divideRounded(fromMinor(baseMinor, to), fromMinor(amountMinor, from), ratePlaces)
  return toText(rate)
}
