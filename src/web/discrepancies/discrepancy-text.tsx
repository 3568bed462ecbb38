// What a discrepancy is about, in plain words.
import { currencyOf, isCurrency } from '../../kernel/money/currency.ts'
import type { Discrepancy } from '../../merchant/discrepancies/discrepancy.ts'
import { Facts } from '../components/facts.tsx'
import { numberFormat } from '../components/locale.ts'
import { Moment } from '../components/moment.tsx'
import { formatMoney } from '../components/money.tsx'
import type { Visit } from '../shell/visit.ts'

const causes: Readonly<Record<string, string>> = {
  late_success: 'Paid after the payment had ended',
  overpayment: 'Paid too much',
  underpayment: 'Paid too little',
  wrong_currency: 'Paid in another currency',
  repeated_charge: 'Paid twice',
  failure_after_success: 'A payment failed after it had succeeded',
  amount_differs: 'The provider reports another amount than before',
  settlement_differs: 'The provider made another amount available',
  split_not_applied: 'The recipient did not get their share',
  split_differs: 'The recipient got another share',
  missing_there: 'The provider does not list this payment',
  missing_here: 'The provider lists a payment that is not in our records',
  chargeback: 'The payer disputes the payment',
  chargeback_taken_again: 'The provider took the money of a won dispute again',
  payment_unresolved: 'The provider has not decided a payment for days',
  refund_unresolved: 'The provider has not decided a refund for days',
  refund_unpaid: 'The provider has not paid a refund for weeks',
  refund_unclear: 'A refund of the provider may be ours',
  refund_repeated: 'The provider lists a second refund',
  refund_missing_here: 'A refund was made outside Tillbook',
  refund_differs: 'The provider refunded another amount',
  refund_charged_back: 'The payer’s bank took the money before the refund',
  refund_refused: 'The provider refused a refund',
  refund_not_found: 'The provider does not know a refund',
  refund_found_late: 'A refund that had failed was made after all',
  refund_failed_after_acceptance: 'A refund failed after it was accepted',
  recipient_unresolved: 'The provider has not registered a recipient for days',
  payout_unresolved: 'The provider has not decided a payout for days',
  payout_failed_after_success: 'A payout came back after it had arrived',
  payout_contradicted_again: 'The provider contradicts itself about a payout',
  payout_late_success: 'A payout that had failed arrived after all',
  transfer_differs: 'The provider transferred another amount',
}

// A cause that is not listed still reads as words: `late_success` → `Late success`.
export function causeText(cause: string): string {
  return causes[cause] ?? capitalised(cause.replaceAll('_', ' '))
}

const kinds: Readonly<Record<string, string>> = {
  payment: 'Payment',
  refund: 'Refund',
  payout: 'Payout',
  chargeback: 'Dispute',
  split_recipient: 'Recipient',
}

export function kindText(objectKind: string): string {
  return kinds[objectKind] ?? capitalised(objectKind.replaceAll('_', ' '))
}

type Detail = Discrepancy['detail']

// Amounts of ours are in minor units; the provider's are decimals. Each has its own currency.
const amounts: readonly (readonly [label: string, name: string, currencyName: string])[] = [
  ['We expected', 'expected_minor', 'expected_currency'],
  ['We booked', 'booked_minor', 'booked_currency'],
  ['Amount', 'amountMinor', 'currency'],
  ['The provider reports', 'amount', 'currency'],
  ['The provider reports', 'transferAmount', 'transferCurrency'],
  ['The recipient got', 'settled', 'currency'],
  ['Too much', 'excess_minor', 'currency'],
  ['Difference', 'difference_minor', 'currency'],
  ['Taken from you', 'merchantMinor', 'currency'],
]

const texts: readonly (readonly [label: string, name: string])[] = [
  ['Our status', 'status'],
  ['The provider’s status', 'transferStatus'],
  ['Reason given', 'failureReason'],
  ['Times sent', 'sends'],
  ['The provider’s refunds', 'entries'],
  ['The provider’s transaction', 'transaction_id'],
  ['The provider’s refund', 'providerRefundId'],
  ['The provider’s transfer', 'transferId'],
  ['The provider’s dispute', 'providerChargebackId'],
  ['Reference', 'reference'],
  ['Reference', 'externalReference'],
  ['Bank', 'bankCode'],
]

const moments: readonly (readonly [label: string, name: string])[] = [
  ['Open since', 'since'],
  ['Payment page ended', 'session_ended'],
]

export function DiscrepancyDetails({ visit, detail }: { visit: Visit; detail: Detail }) {
  const payment = detail.paymentId
  return (
    <Facts
      facts={[
        ...amounts.map(([label, name, currencyName]) => {
          const value = detail[name]
          return value ? ([label, amountText(name, value, detail, currencyName)] as const) : null
        }),
        ...texts.map(([label, name]) => {
          const value = detail[name]
          return value ? ([label, value.replaceAll('_', ' ')] as const) : null
        }),
        ...moments.map(([label, name]) => {
          const value = detail[name]
          return value
            ? ([label, <Moment at={new Date(value)} zone={visit.zone} />] as const)
            : null
        }),
        payment
          ? ['Payment', <a href={visit.href(`/payments/${payment}`)}>See the payment</a>]
          : null,
      ]}
    />
  )
}

function amountText(name: string, value: string, detail: Detail, currencyName: string): string {
  const currency = detail[currencyName] ?? detail.currency ?? ''
  if (!isCurrency(currency)) return `${value} ${currency}`
  if (/minor$/i.test(name)) return formatMoney(BigInt(value), currency)
  const { decimals } = currencyOf(currency)
  // The provider may send more decimals than the currency has. None is hidden.
  const format = numberFormat({
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: 20,
  })
  return format.format(value as Intl.StringNumericLiteral)
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
