// What the payer ordered and answered on the page of a link.
import { payerFieldNames } from '../../merchant/payment-links/payer-fields.ts'
import { lineAmount } from '../../merchant/payment-links/payment-link-item.ts'
import type { PaymentStory } from '../../merchant/payments/get-payment-story.ts'
import type { Payment } from '../../merchant/payments/payment.ts'
import type { Fact } from '../components/facts.tsx'
import { Money } from '../components/money.tsx'
import { Table } from '../components/table.tsx'
import { payerFieldLabels } from '../payment-links/payer-field-choices.tsx'

// What was paid for, if the link has items.
export function OrderedItems({ story: { items, payment } }: { story: PaymentStory }) {
  if (items.length === 0) return null
  const money = (minor: bigint) => <Money minor={minor} currency={payment.currency} />
  return (
    <section>
      <h2>Items</h2>
      <Table
        caption="Items"
        rows={items}
        keyOf={({ itemId }) => itemId}
        columns={[
          { label: 'Item', cell: ({ name }) => name },
          { label: 'Quantity', isNumber: true, cell: ({ quantity }) => quantity },
          { label: 'Price', isNumber: true, cell: ({ unitAmountMinor }) => money(unitAmountMinor) },
          { label: 'Amount', isNumber: true, cell: (line) => money(lineAmount(line)) },
        ]}
      />
    </section>
  )
}

// The name is part of the payer.
export function answersOf({ payerAnswers }: Payment): Fact[] {
  return payerFieldNames
    .filter((field) => field !== 'name' && payerAnswers?.[field] !== undefined)
    .map((field) => [
      payerFieldLabels[field],
      <span key={field} class="pre-line">
        {payerAnswers?.[field]}
      </span>,
    ])
}
