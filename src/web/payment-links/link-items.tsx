// The items of a link: what they cost, and what is sold and left.

import type { ItemisedLink } from '../../merchant/payment-links/payment-link.ts'
import {
  isFixedQuantity,
  type LinkItem,
  leftOf,
  orderOf,
  totalOf,
} from '../../merchant/payment-links/payment-link-item.ts'
import { updatePaymentLinkItem } from '../../merchant/payment-links/update-payment-link-item.ts'
import { Money } from '../components/money.tsx'
import { Table } from '../components/table.tsx'
import type { Visit } from '../shell/visit.ts'

type PriceProps = { items: readonly LinkItem[]; currency: string }

// The total if it is the same for every payer, otherwise the least that one can pay.
export function ItemsPrice({ items, currency }: PriceProps) {
  const least = totalOf(orderOf(items, {}))
  const count = `${items.length} ${items.length === 1 ? 'item' : 'items'}`
  if (items.every(isFixedQuantity)) return <Money minor={least} currency={currency} />
  if (least === 0n) return <>{`${count} to choose from (${currency})`}</>
  return (
    <>
      {count}, from <Money minor={least} currency={currency} />
    </>
  )
}

export function LinkItems({ visit, link }: { visit: Visit; link: ItemisedLink }) {
  const edit = (item: LinkItem) =>
    visit.may(updatePaymentLinkItem)
      ? visit.href(`/payment-links/${link.id}/items/${item.id}`)
      : undefined
  return (
    <section>
      <h2>Items</h2>
      <Table
        caption="Items"
        rows={link.items}
        keyOf={({ id }) => id}
        columns={[
          { label: 'Item', cell: ({ name }) => name },
          {
            label: 'Price',
            isNumber: true,
            cell: ({ unitAmountMinor }) => (
              <Money minor={unitAmountMinor} currency={link.currency} />
            ),
          },
          { label: 'Quantity', cell: quantityText },
          { label: 'Sold', isNumber: true, cell: ({ sold }) => sold },
          { label: 'Being paid', isNumber: true, cell: ({ reserved }) => reserved },
          { label: 'Left', isNumber: true, cell: (item) => leftOf(item) ?? 'No limit' },
          {
            label: 'Change',
            cell: (item) => {
              const href = edit(item)
              if (href === undefined) return '–'
              return (
                <a href={href} aria-label={`Change ${item.name}`}>
                  Change
                </a>
              )
            },
          },
        ]}
      />
      <p class="form-hint mt-2">
        An item is held while someone is paying for it. A refund does not put it back: raise the
        stock if it can be sold again.
      </p>
    </section>
  )
}

function quantityText(item: LinkItem): string {
  const { quantityMin, quantityMax } = item
  return isFixedQuantity(item) ? String(quantityMin) : `${quantityMin} to ${quantityMax}`
}
