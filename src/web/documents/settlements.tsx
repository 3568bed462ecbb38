// What a document was settled with: payments, credits and write-offs, and the way to undo each.
import type { DocumentStory } from '../../books/documents/get-document-story.ts'
import type { Allocation } from '../../books/payments/allocation.ts'
import { removeAllocation } from '../../books/payments/remove-allocation.ts'
import { removePayment } from '../../books/payments/remove-payment.ts'
import { Badge } from '../../kernel/web/components.tsx'
import { Day } from '../components/day.tsx'
import { formatMoney, Money } from '../components/money.tsx'
import { Table } from '../components/table.tsx'
import type { Visit } from '../shell/visit.ts'
import { paperHref, paperNames, placeOfKind } from './document-place.ts'

export function Settlements({ visit, story }: { visit: Visit; story: DocumentStory }) {
  const { allocations, document, organisation } = story
  if (allocations.length === 0) return null
  const hasGain = allocations.some((one) => one.debitBaseMinor !== one.creditBaseMinor)
  return (
    <section>
      <h2>Payments and credits</h2>
      <Table
        caption="Payments and credits"
        rows={allocations}
        keyOf={({ id }) => id}
        columns={[
          { label: 'What', cell: (one) => what(visit, story, one) },
          { label: 'Date', cell: ({ date }) => <Day of={date} /> },
          {
            label: 'Amount',
            isNumber: true,
            cell: ({ amountMinor }) => <Money minor={amountMinor} currency={document.currency} />,
          },
          ...(hasGain
            ? [
                {
                  label: 'Currency gain or loss',
                  isNumber: true,
                  cell: ({ creditBaseMinor, debitBaseMinor }: Allocation) => (
                    <Money
                      minor={creditBaseMinor - debitBaseMinor}
                      currency={organisation.baseCurrency}
                    />
                  ),
                },
              ]
            : []),
          {
            label: 'Undo',
            cell: (one) =>
              one.removedOn === null ? (
                undo(visit, story, one)
              ) : (
                <Badge tone="plain">Removed on {one.removedOn}</Badge>
              ),
          },
        ]}
      />
    </section>
  )
}

function otherOf({ document }: DocumentStory, { debitItemId, creditItemId }: Allocation): string {
  return debitItemId === document.id ? creditItemId : debitItemId
}

function what(visit: Visit, story: DocumentStory, allocation: Allocation) {
  const otherId = otherOf(story, allocation)
  const related = story.related.get(otherId)
  if (related) {
    return (
      <>
        {paperNames[related.kind]} <a href={paperHref(visit, related)}>{related.number}</a>
      </>
    )
  }
  const payment = story.payments.get(otherId)
  if (!payment) return 'Payment'
  const { method, accountCode, accountName, reference, externalId, amountMinor, currency } = payment
  const label = { cash: 'Payment', payment_link: 'Online payment', write_off: 'Write-off' }[method]
  const isPart = amountMinor !== allocation.amountMinor
  return (
    <>
      {externalId === null ? label : <a href={visit.href(`/payments/${externalId}`)}>{label}</a>}
      {isPart && ` of ${formatMoney(amountMinor, currency)}`}
      <br />
      <span class="quiet">
        {accountCode} {accountName}
        {reference !== null && ` · ${reference}`}
      </span>
    </>
  )
}

// Removing a payment reverses the money too; removing an allocation leaves it as a credit.
function undo(visit: Visit, story: DocumentStory, allocation: Allocation) {
  const { document } = story
  const payment = story.payments.get(otherOf(story, allocation))
  const base = `${placeOfKind(document.kind)}/${document.id}`
  const isManual = payment && payment.method !== 'payment_link'
  return (
    <span class="item-actions">
      {isManual && visit.may(removePayment) && (
        <a href={visit.href(`${base}/payments/${payment.id}/remove`)}>Remove</a>
      )}
      {payment?.method !== 'write_off' && visit.may(removeAllocation) && (
        <a href={visit.href(`${base}/allocations/${allocation.id}/remove`)}>
          {payment ? 'Unassign' : 'Undo'}
        </a>
      )}
    </span>
  )
}
